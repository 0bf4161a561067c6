import { expect, test } from "vitest";
import { csv } from "./files.ts";

test("cells with commas, quotes and line ends are quoted", () => {
  expect(
    csv([
      ["a", "b,c"],
      ['say "hi"', "two\nlines"],
    ]),
  ).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])("%j is no formula to a spreadsheet", (text) => {
  expect(csv([[text]]).startsWith("'")).toBe(true);
});

test("nor is what stands behind a separator of other languages", () => {
  expect(csv([["Robot;=cmd|' /C calc'!A0", "a-b; -1"]])).toBe("Robot;'=cmd|' /C calc'!A0,a-b; -1\r\n");
});
