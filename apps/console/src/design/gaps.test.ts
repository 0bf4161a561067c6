import { expect, test } from "vitest";
import { folded, isEmptyLine, piecesOf } from "./gaps.ts";

const kindOf = (line: string): string | null => (isEmptyLine(line) ? "empty lines" : null);
const lines = (count: number): string[] => Array.from({ length: count }, () => " ");

test("what stands behind a wide gap is not out of sight: the gap is a number", () => {
  expect(piecesOf(`return 1;${" ".repeat(312)}steal();`)).toEqual(["return 1;", { gap: 312 }, "steal();"]);
  expect(piecesOf(`${"\t\u00a0\u3000".repeat(30)}x${" ".repeat(64)}`)).toEqual([
    { gap: 90 },
    "x",
    { gap: 64 },
  ]);
});

test("indentation and an empty line stay as they are", () => {
  expect(piecesOf(`${" ".repeat(40)}x`)).toEqual([`${" ".repeat(40)}x`]);
  expect(piecesOf("")).toEqual([]);
});

test("many empty lines are one number, a few stay, and kinds are told apart", () => {
  expect(folded(["a", ...lines(300), "b", ...lines(3)], kindOf)).toEqual([
    { row: "a" },
    { empty: 300, kind: "empty lines" },
    { row: "b" },
    { row: " " },
    { row: " " },
    { row: " " },
  ]);
  expect(folded([...Array(24).keys()], (n) => (n < 12 ? "added" : "removed"))).toEqual([
    { empty: 12, kind: "added" },
    { empty: 12, kind: "removed" },
  ]);
});
