import { expect, test } from "vitest";
import { diffLines } from "./diff-lines.ts";

const shown = (before: string, after: string): string[] =>
  diffLines(before, after).map(
    (row) => `${row.before?.text ?? "·"}${row.isSame ? "=" : "|"}${row.after?.text ?? "·"}`,
  );

test.each([
  ["a\nb\nc", "a\nb\nc", ["a=a", "b=b", "c=c"]],
  ["a\nb\nc", "a\nx\nc", ["a=a", "b|x", "c=c"]],
  ["a\nc", "a\nb\nc", ["a=a", "·|b", "c=c"]],
  ["a\nb\nc", "c", ["a|·", "b|·", "c=c"]],
  ["a\nb\nc\nd", "b\nx\nd\ne", ["a|·", "b=b", "c|x", "d=d", "·|e"]],
  ["", "a", ["|a"]],
])("%j against %j", (before, after, rows) => expect(shown(before, after)).toEqual(rows));

test("each side counts its own lines", () => {
  expect(diffLines("a\nc", "a\nb\nc").at(-1)).toEqual({
    before: { number: 2, text: "c" },
    after: { number: 3, text: "c" },
    isSame: true,
  });
});

test("texts too long to be compared line by line are one change, with nothing lost", () => {
  const long = (word: string): string => Array.from({ length: 2_100 }, (_, at) => `${word}${at}`).join("\n");
  const rows = diffLines(`top\n${long("a")}\nend`, `top\n${long("b")}\nend`);
  expect(rows).toHaveLength(2_102);
  expect(rows.filter(({ isSame }) => isSame)).toHaveLength(2);
});
