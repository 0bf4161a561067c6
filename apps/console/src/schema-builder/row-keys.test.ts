import { expect, test } from "vitest";
import { rowKeys } from "./row-keys.ts";

const keysOf = (...names: readonly string[][]): number[][] => {
  let rows = rowKeys([], []);
  return names.map((next) => (rows = rowKeys(rows, next)).map(({ key }) => key));
};

test("a row keeps its key when it moves, and when it alone is renamed", () => {
  expect(keysOf(["a", "b", "c"], ["c", "a", "b"], ["c", "x", "b"], ["c", "b"], ["c", "b", "d"])).toEqual([
    [1, 2, 3],
    [3, 1, 2],
    [3, 1, 2],
    [3, 2],
    [3, 2, 4],
  ]);
});

test("nothing new is the same list", () => {
  const rows = rowKeys([], ["a"]);
  expect(rowKeys(rows, ["a"])).toBe(rows);
});

test("ten thousand rows have keys of their own", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `f${index}`);
  expect(new Set(rowKeys([], names).map(({ key }) => key)).size).toBe(10_000);
});
