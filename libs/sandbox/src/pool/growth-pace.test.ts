import { expect, test } from "vitest";
import { GrowthPace } from "./growth-pace.ts";

test("the first may come at once, the next when starts have taken an eighth of the processors", () => {
  const pace = new GrowthPace(2);
  expect(pace.allows(0, 100)).toBe(true);
  pace.grew(0);
  expect(pace.allows(399, 100)).toBe(false);
  expect(pace.allows(400, 100)).toBe(true);
});

test("more processors allow more", () => {
  const pace = new GrowthPace(16);
  pace.grew(0);
  expect(pace.allows(49, 100)).toBe(false);
  expect(pace.allows(50, 100)).toBe(true);
});

test("where no start was seen, one is taken to be short; slow ones hold nobody back for more than a second", () => {
  const pace = new GrowthPace(1);
  pace.grew(0);
  expect(pace.allows(599, 0)).toBe(false);
  expect(pace.allows(600, 0)).toBe(true);
  expect(pace.allows(999, 60_000)).toBe(false);
  expect(pace.allows(1_000, 60_000)).toBe(true);
});
