import { expect, test } from "vitest";
import { RecentUse } from "./recent-use.ts";

test("what was used adds up, and counts less with time: half after 21 s", () => {
  let now = 0;
  const used = new RecentUse(() => now);
  expect(used.of("a")).toBe(0);
  used.add("a", 100);
  used.add("a", 60);
  used.add("b", 1);
  expect(used.of("a")).toBe(160);
  now = 30_000 * Math.LN2;
  expect(used.of("a")).toBeCloseTo(80);
  used.add("a", 20);
  expect(used.of("a")).toBeCloseTo(100);
  expect(used.of("b")).toBeCloseTo(0.5);
});

test("whom it forgets had used nothing lately", () => {
  let now = 0;
  const used = new RecentUse(() => now);
  used.add("heavy", 1_000_000);
  for (let n = 0; n < 3_000; n += 1) {
    now += 1_000;
    used.add(`tenant ${n}`, 100);
    expect(used.of(`tenant ${n}`)).toBe(100);
    if (n < 300) expect(used.of("heavy")).toBeGreaterThan(1);
  }
  expect(used.size).toBeLessThan(1_100);
});
