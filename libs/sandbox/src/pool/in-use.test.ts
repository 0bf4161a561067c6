import { expect, test } from "vitest";
import { inUseBeside, othersContent } from "./in-use.ts";

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

test("another is content with one process that runs, or did of late, while it waits for nothing", () => {
  const now = performance.now();
  const others = (tenantId: string, holding: { held: number; running: number; idleSince: number }) => ({
    holdings: () => new Map([[tenantId, holding]]),
  });
  const busy = { held: 1, running: 1, idleSince: 0 };
  const isContent = (tenantId: string, holding: typeof busy, waits = false) =>
    othersContent("own", others(tenantId, holding), 5_000, () => waits);
  expect(isContent("other", busy)).toBe(true);
  expect(isContent("other", { ...busy, running: 0, idleSince: now - 1_000 })).toBe(true);
  expect(isContent("other", { ...busy, running: 0, idleSince: now - 60_000 })).toBe(false);
  expect(isContent("other", { ...busy, held: 2 })).toBe(false);
  expect(isContent("other", busy, true)).toBe(false);
  expect(isContent("own", busy)).toBe(false);
});
