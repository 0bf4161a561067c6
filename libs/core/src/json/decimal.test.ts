import { assert, integer, property, tuple } from "fast-check";
import { describe, expect, it, test } from "vitest";
import { multipleNear, multiplesOf } from "./decimal.ts";

describe("a multiple is one of the decimals as they are written", () => {
  it.each([
    [0.01, [0, -0, 0.07, 0.14, 0.28, 0.29, 4.35, 19.99, -0.57, 1e15, 123456789012345.67, 1e300]],
    [0.1, [0.3, 0.7, 1.1, 1e21]],
    [0.05, [0.15, 0.35, 99.95]],
    [1e-7, [1e-7, 3e-7, 0.1, 12.3456789]],
    [1e-300, [1e-300, 0.1, 1e300]],
    [3, [9, 9_007_199_254_740_990, 3e300]],
    [0.75, [1.5, -2.25]],
    [1e300, [0, 2e300]],
    [1_024, [2 ** 60, 1e24]],
    [2 ** 54, [2 ** 55]],
    [10, [1e23]],
  ])("of %d", (step, values) => {
    for (const value of values) expect(multiplesOf(step)(value), String(value)).toBe(true);
  });

  it.each([
    [0.01, [0.015, 0.001, 0.1 + 0.2, 1e-300]],
    [0.05, [0.01, 0.12]],
    [1e-7, [1.5e-7, 1e-8]],
    [3, [10, 1e22, 1.5]],
    [0.75, [1, 0.5]],
    [1e300, [1, 1.5e300]],
    [1, [Infinity, -Infinity, NaN]],
    [1e-30, [Infinity]],
  ])("and nothing else is, of %d", (step, values) => {
    const isMultiple = multiplesOf(step);
    for (const value of values) expect(isMultiple(value), String(value)).toBe(false);
  });

  it("as counted in hundredths, whatever the price", () => {
    const isPrice = multiplesOf(0.01);
    for (let cents = 0; cents < 20_000; cents += 1) {
      expect(isPrice(Number(`${cents}e-2`)), `${cents} cents`).toBe(true);
      expect(isPrice(Number(`${cents}5e-3`)), `${cents}.5 cents`).toBe(false);
    }
  });
});

test("any number of steps of any size is a multiple, and its neighbours of one more place are none", () => {
  const steps = tuple(integer({ min: 1, max: 9_999 }), integer({ min: -30, max: 20 }));
  assert(
    property(steps, integer({ min: -1_000_000, max: 1_000_000 }), ([digits, exponent], count) => {
      const isMultiple = multiplesOf(Number(`${digits}e${exponent}`));
      expect(isMultiple(Number(`${digits * count}e${exponent}`))).toBe(true);
      expect(isMultiple(Number(`${digits * count}1e${exponent - 1}`))).toBe(false);
    }),
  );
});

test.each([
  [0.07, 0.01, 0.07, 0.07],
  [0.1 + 0.2, 0.1, 0.3, 0.4],
  [1, 0.3, 0.9, 1.2],
  [-1, 0.3, -1.2, -0.9],
  [1, 5, 0, 5],
  [1.7e308, 1e308, 1e308, Number.MAX_VALUE],
  [Infinity, 1, Number.MAX_VALUE, Number.MAX_VALUE],
])("beside %d the multiples of %d are %d and %d", (value, step, below, above) => {
  expect([multipleNear(value, step, "below"), multipleNear(value, step, "above")]).toEqual([below, above]);
});
