import type { Tool } from "@bulkhead/core";
import { expect, test } from "vitest";
import { isKnown, readIfMatch, readPutCondition } from "./entity-tags.ts";

const TOOL = { id: "tool_0000000000000001", revision: 3 } as Tool;
const TAG = '"tool_0000000000000001.3"';

test.each([
  ["no header", undefined, null],
  ["a star", " * ", null],
  ["one tag", '"a.1"', ["a.1"]],
  ["several", '"a.1" , "b.2","c"', ["a.1", "b.2", "c"]],
  ["weak ones, which match nothing", 'W/"a.1", "b.2"', ["b.2"]],
  ["an empty one", '""', [""]],
])("If-Match with %s", (_what, header, seen) => {
  expect(readIfMatch(header)).toEqual(seen);
});

test.each(["", "a.1", '"a', '"a" "b"', '"a",', '*, "a"', 'w/"a"', '"a\u00e9"'])(
  "If-Match of %j is no list of tags",
  (header) => {
    expect(() => readIfMatch(header)).toThrow(expect.objectContaining({ code: "request.invalid" }));
  },
);

test("If-None-Match compares weakly", () => {
  for (const header of [TAG, `W/${TAG}`, `"x", ${TAG}`, "*"]) expect(isKnown(header, TOOL)).toBe(true);
  expect(isKnown('"tool_0000000000000001.2"', TOOL)).toBe(false);
  expect(isKnown(undefined, TOOL)).toBe(false);
});

test("a long header of hostile shape is read in no time to speak of", () => {
  expect(() => readIfMatch(`${'"a" '.repeat(500)}x`)).toThrow();
  expect(() => readIfMatch(`${" ".repeat(2_000)}x`)).toThrow();
});

test.each([
  [{}, { exists: null, tags: null }],
  [{ "if-match": "*" }, { exists: true, tags: null }],
  [{ "if-match": '"a.1", "b"' }, { exists: true, tags: ["a.1", "b"] }],
  [{ "if-none-match": " * " }, { exists: false, tags: null }],
])("a PUT with %j", (headers, condition) => {
  expect(readPutCondition(headers)).toEqual(condition);
});

test.each([
  { "if-match": "a" },
  { "if-none-match": '"a"' },
  { "if-none-match": "" },
  { "if-match": "*", "if-none-match": "*" },
])("a PUT with %j is refused", (headers) => {
  expect(() => readPutCondition(headers)).toThrow(expect.objectContaining({ code: "request.invalid" }));
});
