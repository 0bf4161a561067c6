import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObjectIn } from "./json-object.ts";
import { readJson } from "./read-json.ts";

test.each([
  ["", 1, 1, "A value is missing"],
  ["{\n  a: 1}", 2, 3, "A name in double quotes"],
  ['{"a" 1}', 1, 6, "A colon is missing"],
  ['{"a": 1 "b": 2}', 1, 9, "A comma or the end"],
  ['{"a": 1,}', 1, 9, "The comma before this"],
  ["[1,]", 1, 4, "The comma before this"],
  ["[1", 1, 3, "A comma or the end"],
  ['{"a": "b\n"}', 1, 7, "This text has no end"],
  ["[1}", 1, 3, "A comma or the end"],
  ["01", 1, 2, "Nothing may stand behind"],
  ["{} x", 1, 4, "Nothing may stand behind"],
  ["'a'", 1, 1, "A value is missing"],
])("%j is wrong at line %i, column %i", (text, line, column, message) => {
  const read = readJson(text);
  expect("fault" in read && [read.fault.line, read.fault.column]).toEqual([line, column]);
  expect("fault" in read && read.fault.message).toContain(message);
});

test("a name that stands twice is told, names of other objects are not", () => {
  const read = readJson('{"a": {"a": 1},\n "b": [{"a": 1}, {"a": 2}], "\\u0061": 2}');
  expect(read).toMatchObject({
    value: { a: 2 },
    doubled: { line: 2, column: 29, message: expect.stringContaining("“a”") },
  });
  expect(readJson('[{"a": 1}, {"a": 2}]')).not.toHaveProperty("doubled");
});

test("what a browser takes as JSON is taken, and nothing else", () => {
  const piece = fc.constantFrom(
    ...'{ } [ ] , : " \\ \n \t a 1 - . e + u'.split(" "),
    " ",
    '"a"',
    "true",
    "null",
    "1.5e3",
    "\\u00e9",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(piece).map((all) => all.join("")),
      ),
      (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(readJson(text)).toHaveProperty("fault");
          return;
        }
        expect(readJson(text)).toMatchObject({ value });
      },
    ),
    { numRuns: 500 },
  );
});

test("a text of as many levels as are taken is read, and of a deeper one that is told, with its place", () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  expect(readJson(nested(500))).toHaveProperty("value");
  expect(readJson(`\n${nested(501)}`)).toEqual({
    fault: { message: "It nests deeper than 500 levels here.", line: 2, column: 501 },
  });
  expect(readJson(nested(100_000))).toHaveProperty("fault");
});

test("arguments are an object of as many levels, and where they are none the place is told", () => {
  const nested = (levels: number): string => `{"a": ${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(jsonObjectIn(nested(499))).toHaveProperty("a");
  expect(jsonObjectIn(nested(5_000))).toBe("Line 1, column 506: It nests deeper than 500 levels here.");
  expect(jsonObjectIn("[1]")).toBe("The arguments must be one object, in braces.");
  expect(jsonObjectIn('{"a":\n}')).toBe("Line 2, column 1: A value is missing here.");
});

test("a text may begin as many levels as it likes", () => {
  expect(readJson("[".repeat(200_000))).toHaveProperty("fault");
  expect(readJson(`"${"a".repeat(1_000_000)}`)).toHaveProperty("fault");
});
