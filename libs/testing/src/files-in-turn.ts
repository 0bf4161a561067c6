import * as fc from "fast-check";
import { afterEach, vi } from "vitest";
import { isNightly, SEED } from "./nightly.ts";

fc.configureGlobal({ seed: SEED, numRuns: isNightly ? 1_000 : 50 });

// Test files share their worker's modules and globals, so each test restores what it replaced: the spies first, since one
// that was set on a fake timer would otherwise put that back in the real one's place.
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
