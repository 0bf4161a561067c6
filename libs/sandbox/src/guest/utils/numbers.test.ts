import { describe, expect, it, vi } from "vitest";
import { avg, clamp, round, sum } from "./numbers.ts";

vi.mock("../bridge.ts", () => ({ ask: () => "null", post: () => undefined }));

describe("clamp", () => {
  it.each([
    [5, 0, 10, 5],
    [-5, 0, 10, 0],
    [15, 0, 10, 10],
    [5, 5, 5, 5],
    [Infinity, 0, 10, 10],
    [5, -Infinity, Infinity, 5],
  ])("of %d to %d…%d is %d", (value, min, max, expected) => {
    expect(clamp(value, min, max)).toBe(expected);
  });
  it("refuses a range that is none", () => {
    expect(() => clamp(1, 3, 2)).toThrow(new RangeError("utils.clamp: min must not be above max"));
    expect(() => clamp(Number.NaN, 0, 1)).toThrow("utils.clamp: value must be a number");
  });
});

describe("round", () => {
  it.each([
    [1.005, undefined, 1.01],
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.49999999999999994, 0, 0],
    [1.45, 1, 1.5],
    [8.345, 2, 8.35],
    [1234.5678, -2, 1200],
    [1250, -2, 1300],
    [49, -2, 0],
    [-0.001, 2, 0],
    [-0, 2, 0],
    [1e-7, 2, 0],
    [1.5e-7, 7, 2e-7],
    [1e21, 2, 1e21],
    [1.7e308, 2, 1.7e308],
    [Number.MAX_SAFE_INTEGER, 2, Number.MAX_SAFE_INTEGER],
    [5e-324, 100, 0],
    [Infinity, 2, Infinity],
    [-Infinity, 2, -Infinity],
  ])("of %d to %s decimals is %d", (value, decimals, expected) => {
    expect(round(value, decimals)).toBe(expected);
  });
  it.each([101, -101, 0.5, Infinity])("refuses %d decimals", (decimals) => {
    expect(() => round(1, decimals)).toThrow("utils.round: decimals must be a whole number from -100 to 100");
  });
});

describe("sum and avg", () => {
  it.each([
    [[], 0, 0],
    [[1, 2, 3], 6, 2],
    [[-1, 1], 0, 0],
    [Array.from({ length: 10 }, () => 0.1), 1, 0.1],
    [[1e100, 1, -1e100], 1, 1 / 3],
    [[Infinity, 1], Infinity, Infinity],
    [[1e308, 1e308, -1e308], 1e308, 1e308 / 3],
    [[1e308, 1e308], Infinity, 1e308],
    [[-1e308, -1e308, -1e308, -1e308], -Infinity, -1e308],
    [[1e308, 1e308, 1, -1e308, -1e308], 1, 0.2],
    [[1e308, 1e308, -Infinity], -Infinity, -Infinity],
    [[Infinity, -Infinity], NaN, NaN],
    [Array.from({ length: 7 }, () => Number.MAX_VALUE), Infinity, Number.MAX_VALUE],
  ])("of %j are %d and %d", (numbers, total, average) => {
    expect(sum(numbers)).toBe(total);
    expect(avg(numbers)).toBe(average);
  });

  it.each([
    ["a text", ["1"], 0],
    ["NaN", [1, Number.NaN], 1],
    ["null", [null], 0],
    ["a hole", [1, , 3], 1], // oxlint-disable-line no-sparse-arrays -- the hole is the case
  ])("refuse %s and say where", (_, numbers, at) => {
    expect(() => sum(numbers as number[])).toThrow(`utils.sum: numbers[${at}] must be a number`);
    expect(() => avg(numbers as number[])).toThrow(`utils.avg: numbers[${at}] must be a number`);
  });
});
