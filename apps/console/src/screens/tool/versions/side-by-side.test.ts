import { expect, test } from "vitest";
import { sideBySide } from "./side-by-side.ts";

const shown = (unified: string): string[][] =>
  sideBySide(unified).map(({ rows }) =>
    rows.map(({ before, after, isSame }) => {
      const side = (line: typeof before): string => (line === null ? "" : `${line.number}${line.text}`);
      return `${side(before)}${isSame ? "=" : "|"}${side(after)}`;
    }),
  );

test("lines that go stand beside those that come, with the numbers of each side", () => {
  const unified = ["@@ -3,4 +3,5 @@", " a", "-b", "-c", "+B", "+C", "+D", " e"].join("\n");
  expect(shown(unified)).toEqual([["3a=3a", "4b|4B", "5c|5C", "|6D", "6e=7e"]]);
});

test("each hunk begins anew, and one that only adds has nothing at the left", () => {
  const unified = ["--- a", "+++ b", "@@ -0,0 +1,1 @@", "+x", "@@ -9 +10 @@", "-y", ""].join("\n");
  expect(shown(unified)).toEqual([["|1x"], ["9y|"]]);
});

test("what says that a line has no end is no line", () => {
  expect(shown("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a")).toEqual([["1a|1a"]]);
});

test("no hunks are no rows", () => {
  expect(sideBySide("")).toEqual([]);
});
