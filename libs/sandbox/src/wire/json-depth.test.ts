import { expect, test } from "vitest";
import { JSON_DEPTH_MAX, nestsTooDeep } from "./json-depth.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

test.each([
  ["at the bound", nested(JSON_DEPTH_MAX), false],
  ["one level beyond it", nested(JSON_DEPTH_MAX + 1), true],
  ["a million levels deep", nested(1_000_000), true],
  ["of objects beyond it", '{"a":'.repeat(101) + "1" + "}".repeat(101), true],
  ["wide, not deep", `[${"[],".repeat(10_000)}[]]`, false],
  ["with brackets in its text only", JSON.stringify("[".repeat(1_000) + '\\"' + "{".repeat(1_000)), false],
  ["with a text that ends in a backslash", JSON.stringify(["\\", "[".repeat(200)]), false],
])("a value %s", (_name, json, deep) => {
  expect(nestsTooDeep(json)).toBe(deep);
});
