import { assert, integer, property, string } from "fast-check";
import { expect, test } from "vitest";
import { cellsOf, cutTo, tableLines } from "./table.ts";

const COLUMNS = [
  { title: "name" },
  { title: "uses", align: "right" },
  { title: "description", flexible: true },
] as const;

test("columns are as wide as their widest cell", () => {
  const rows = [
    ["adder", "7", "adds"],
    ["long_name", "1200", "is long"],
  ];
  expect(tableLines(COLUMNS, rows, 80)).toEqual([
    "name       uses  description",
    "adder         7  adds",
    "long_name  1200  is long",
  ]);
});

test("where the terminal is too narrow the flexible column is cut, and a wide character counts as two", () => {
  const lines = tableLines(COLUMNS, [["a", "1", "漢字漢字漢字漢字 and more"]], 24);
  expect(lines[1]).toBe("a        1  漢字漢字漢…");
  expect(lines.map(cellsOf).every((cells) => cells <= 24)).toBe(true);
});

test("of several flexible columns the widest gives way first", () => {
  const columns = [
    { title: "a", flexible: true },
    { title: "b", flexible: true },
  ] as const;
  const [, line] = tableLines(columns, [["a".repeat(12), "b".repeat(60)]], 40);
  expect(line).toBe(`${"a".repeat(12)}  ${"b".repeat(25)}…`);
});

test("a cell of a stranger's stands on one line and is harmless", () => {
  expect(tableLines([{ title: "x" }], [["a\nb\u001b[31m"]], 80)[1]).toBe("a\\nb\\x1b[31m");
});

test("colours come after the width is settled", () => {
  const lines = tableLines(COLUMNS, [["a", "1", "b"]], 80, (text, row) => (row === 0 ? `<${text}>` : text));
  expect(lines[1]).toBe("<a>        <1>  <b>");
});

test("whatever is cut fits", () => {
  assert(
    property(string({ unit: "grapheme" }), integer({ min: 1, max: 40 }), (text, cells) => {
      expect(cellsOf(cutTo(cells, text))).toBeLessThanOrEqual(cells);
    }),
  );
});
