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
