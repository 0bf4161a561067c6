import { expect, test } from "vitest";
import { inUseBeside } from "./in-use.ts";

test("what another tenant's next call needs is in use, unless that tenant sleeps; one's own idle one is not", () => {
  const now = performance.now();
  const holdings = new Map([
    ["flood", { held: 3, running: 3, idleSince: now }],
    ["quiet", { held: 2, running: 0, idleSince: now }],
    ["busy", { held: 2, running: 1, idleSince: now }],
    ["asleep", { held: 1, running: 0, idleSince: now - 60_000 }],
  ]);
  expect(inUseBeside("flood", { holdings: () => holdings }, 5_000)).toBe(3 + 1 + 1);
  expect(inUseBeside("quiet", { holdings: () => holdings }, 5_000)).toBe(3 + 1);
});
