import { expect, test } from "vitest";
import { prettyJson } from "./pretty-json.ts";

test.each([
  [{}],
  [[]],
  ['a "quoted" {[,:]} \\ \u2028 string'],
  [-1.5e10],
  [{ a: [1, [], {}, [[null]], { b: true, "c\\": '\\"' }], d: "" }],
])("%j is written as JSON.stringify would", (value) => {
  const pretty = JSON.stringify(value, null, 2);
  for (const source of [JSON.stringify(value), pretty, ` ${JSON.stringify(value, null, "\t")} `])
    expect(prettyJson(source, 10_000)).toBe(pretty);
});

test("what is no JSON stays as it came", () => {
  expect(prettyJson('{"a": [1', 100)).toBe('{"a": [1');
});

test("deep JSON is written only as far as somebody reads it", () => {
  const deep = "[".repeat(500_000) + "]".repeat(500_000);
  const text = prettyJson(deep, 1_000);
  expect(text.length).toBeGreaterThan(1_000);
  expect(text.length).toBeLessThan(1_200);
});
