import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

describe("parseCsv", () => {
  it.each([
    [
      "rows by their names",
      "a,b\n1,2\n3,4",
      [
        { a: "1", b: "2" },
        { a: "3", b: "4" },
      ],
    ],
    ["a line break at the end", "a\n1\n", [{ a: "1" }]],
    [
      "line ends of every kind",
      "a,b\r\n1,2\n3,4\r5,6",
      [
        { a: "1", b: "2" },
        { a: "3", b: "4" },
        { a: "5", b: "6" },
      ],
    ],
    ["a byte order mark", "\u{feff}a\n1", [{ a: "1" }]],
    ["quotes", 'a,"b"\n"1,5","say ""hi"""', [{ a: "1,5", b: 'say "hi"' }]],
    ["a line break within quotes", 'a,b\n"1\r\n2",3', [{ a: "1\r\n2", b: "3" }]],
    ["a quote within a value", 'a\n5" pipe', [{ a: '5" pipe' }]],
    ["values as they stand", "a , b\n 1 ,  ", [{ a: " 1 ", b: "  " }]],
    ["lines of white space alone", "\n  \na,b\n\n1,2\n \t\n", [{ a: "1", b: "2" }]],
    ["empty values", "a,b\n,\n", [{ a: "", b: "" }]],
    ["an empty value in quotes", 'a\n""\n1', [{ a: "" }, { a: "1" }]],
    ["rows that are too short", "a,b\n1", [{ a: "1", b: "" }]],
    ["rows that are too long", "a\n1,2,3", [{ a: "1", column_2: "2", column_3: "3" }]],
    ["names used twice", "a,a,a_2,a\n1,2,3,4", [{ a: "1", a_3: "2", a_2: "3", a_4: "4" }]],
    ["names left empty", ",a,\n1,2,3", [{ column_1: "1", a: "2", column_3: "3" }]],
    ["made-up names that are taken", "column_2,\n1,2,3", [{ column_2: "1", column_3: "2", column_4: "3" }]],
    ["a header alone", "a,b\n", []],
    ["nothing", "", []],
    ["names beyond ASCII", "größe,名\n1,2", [{ größe: "1", 名: "2" }]],
  ])("reads %s", (_, csv, expected) => {
    expect(parseCsv(csv)).toEqual(expected);
  });

  it.each([
    [";", "a;b\n1,5;2"],
    ["\t", "a\tb\n1,5\t2"],
    ["||", "a||b\n1,5||2"],
  ])("takes %j as delimiter", (delimiter, csv) => {
    expect(parseCsv(csv, delimiter)).toEqual([{ a: "1,5", b: "2" }]);
  });

  it("keeps a column named __proto__ or constructor as plain data", () => {
    const [record] = parseCsv("__proto__,constructor,toString\n1,2,3");
    expect(Object.entries(record ?? {})).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["toString", "3"],
    ]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(JSON.stringify(record)).toBe('{"__proto__":"1","constructor":"2","toString":"3"}');
  });

  it.each([
    ["a quote that never ends", 'a\n1\n"2\n3', "line 3: a quoted value does not end"],
    ["text after a quote", 'a,b\n"1"2,3', "line 2: there is more after the quote that ends a value"],
  ])("refuses %s and names the line", (_, csv, message) => {
    expect(() => parseCsv(csv)).toThrow(new SyntaxError(`utils.parseCsv: ${message}`));
  });

  it.each(["", '"', "\n", "\r", "123456789", 'a"'])("refuses the delimiter %j", (delimiter) => {
    expect(() => parseCsv("a", delimiter)).toThrow("utils.parseCsv: delimiter must be 1 to 8 characters");
  });

  it("refuses more columns than anyone has, and copes with that many of one name", () => {
    expect(() => parseCsv("a,".repeat(10_001))).toThrow("utils.parseCsv: line 1 has more than 10000 values");
    const [record] = parseCsv(`${"a,".repeat(9_998)}a\n${"1,".repeat(9_998)}1`);
    expect(Object.keys(record ?? {})).toHaveLength(9_999);
  });

  it("reads back what was written with quotes, whatever the values", () => {
    const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    const value = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "ä") });
    const roundTrip = fc.property(fc.array(fc.tuple(value, value)), (rows) => {
      const csv = ["a,b", ...rows.map((row) => row.map(quote).join(","))].join("\n");
      expect(parseCsv(csv)).toEqual(rows.map(([a, b]) => ({ a, b })));
    });
    fc.assert(roundTrip, { numRuns: 300 });
  });
});
