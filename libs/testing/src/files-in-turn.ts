import { enableCompileCache } from "node:module";
import * as fc from "fast-check";
import { afterEach, vi } from "vitest";
import { isNightly, SEED } from "./nightly.ts";

// What API and worker load was compiled before the first file; Node itself reads the variable only as it starts.
const compiled = process.env["NODE_COMPILE_CACHE"];
if (compiled !== undefined) enableCompileCache(compiled);

fc.configureGlobal({ seed: SEED, numRuns: isNightly ? 1_000 : 50 });

// Test files share their worker's modules and globals, so each test restores what it replaced: the spies first, since one
// that was set on a fake timer would otherwise put that back in the real one's place.
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
