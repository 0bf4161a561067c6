import { expect, test } from "vitest";
import { usagePeriod } from "./usage-period.ts";

const NOW = new Date("2026-03-10T15:30:00.000Z");
const periodOf = (asked: { from?: string; to?: string }) => {
  const { from, to } = usagePeriod(asked, NOW);
  return [from.toISOString(), to.toISOString()];
};

test("what is left out is the week to the day of its end, and now", () => {
  expect(periodOf({})).toEqual(["2026-03-04T00:00:00.000Z", NOW.toISOString()]);
  expect(periodOf({ to: "2026-03-01T00:00:00Z" })).toEqual([
    "2026-02-23T00:00:00.000Z",
    "2026-03-01T00:00:00.000Z",
  ]);
  expect(periodOf({ from: "2026-03-01T00:00:00Z" })).toEqual(["2026-03-01T00:00:00.000Z", NOW.toISOString()]);
  expect(periodOf({ to: "1970-01-01T00:00:00Z" })).toEqual(Array(2).fill("1970-01-01T00:00:00.000Z"));
});

test("any month fits, and a period may be empty", () => {
  expect(periodOf({ from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" })[1]).toBe(
    "2026-02-01T00:00:00.000Z",
  );
  expect(periodOf({ from: NOW.toISOString() })).toEqual(Array(2).fill(NOW.toISOString()));
});

test.each([
  ["to", { from: "2026-03-02T00:00:00Z", to: "2026-03-01T23:59:59.999Z" }],
  ["from", { from: "2026-03-10T15:30:00.001Z" }],
  ["from", { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00.001Z" }],
  ["from", { from: "2020-01-01T00:00:00Z" }],
])("%s is named where the period is %o", (path, asked) => {
  expect(() => usagePeriod(asked, NOW)).toThrow(
    expect.objectContaining({ code: "request.invalid", errors: [expect.objectContaining({ path })] }),
  );
});
