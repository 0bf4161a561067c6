import { expect, test } from "vitest";
import { columnType } from "./column-values.ts";
import { bindValue } from "./query-parameters.ts";

test.each([
  ["a text", "a'b", "a'b"],
  ["a number", 1.5, "1.5"],
  ["a boolean", true, "true"],
  ["nothing", null, null],
  ["an object", { a: [1] }, '{"a":[1]}'],
  ["a list", ["a", 'b"\\', null, 1], '{"a","b\\"\\\\",NULL,"1"}'],
  ["a list of lists", [[1], [2]], '{{"1"},{"2"}}'],
  ["a word that lists read otherwise", ["NULL", ""], '{"NULL",""}'],
  ["an object in a list", [{ a: "x" }], '{"{\\"a\\":\\"x\\"}"}'],
])("%s is bound", (_what, value, text) => {
  expect(bindValue(value)).toBe(text);
});

test.each([
  ["boolean", 16, "t", true],
  ["bigint", 20, "9007199254740991", 9_007_199_254_740_991],
  ["bigint", 20, "9007199254740993", "9007199254740993"],
  ["numeric", 1700, "1.50", "1.50"],
  ["double precision", 701, "1e300", 1e300],
  ["double precision", 701, "NaN", "NaN"],
  ["real", 700, "-Infinity", "-Infinity"],
  ["bytea", 17, "\\x00ff", "AP8="],
  ["timestamp with time zone", 1184, "2026-01-02 03:04:05.6+00", "2026-01-02T03:04:05.6Z"],
  ["timestamp with time zone", 1184, "infinity", "infinity"],
  ["timestamp", 1114, "2026-01-02 03:04:05", "2026-01-02T03:04:05"],
  ["date", 1082, "2026-01-02", "2026-01-02"],
  ["interval", 1186, "P1DT2H", "P1DT2H"],
  ["jsonb", 3802, '{"a": [1, 9007199254740993]}', { a: [1, "9007199254740993"] }],
  [
    "json",
    114,
    '["\\\\", "\\"9007199254740993", {"a\\"9007199254740993": -9007199254740993}, 1e-400, 0.1, 1.5e3, 1E400]',
    ["\\", '"9007199254740993', { 'a"9007199254740993': "-9007199254740993" }, "1e-400", 0.1, 1_500, "1E400"],
  ],
  ["json", 114, '{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
  ["integer[]", 1007, "{1,NULL,{2}}", [1, null, [2]]],
  ["text[]", 1009, '{a,"b,c","NULL",NULL}', ["a", "b,c", "NULL", null]],
  ["bigint[]", 1016, "{9007199254740993}", ["9007199254740993"]],
  ["type 600", 600, "(1,2)", "(1,2)"],
])("%s %i of %j", (name, id, text, value) => {
  const type = columnType(id);
  expect([type.name, type.read(text)]).toEqual([name, value]);
});
