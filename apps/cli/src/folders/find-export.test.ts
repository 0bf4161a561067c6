import { expect, test } from "vitest";
import { findExport } from "./find-export.ts";

test.each([
  ["/** Adds. */\nexport function add() {}", 2, 1, "Adds."],
  [
    "\n/**\n * Adds\n * numbers.\n *\n * @param a one\n */\nexport const add = () => 1;",
    8,
    1,
    "Adds\nnumbers.",
  ],
  ["/** Of something else. */\nconst x = 1;\nexport const add = 1;", 3, 1, null],
  ["const one = 1;\nexport { one as add };", 2, 1, null],
  ["/** Adds. */\nasync function add() {}\nexport { add };", 2, 1, "Adds."],
])("%s", (text, line, column, description) => {
  expect(findExport(text, "add")).toEqual({ line, column, description });
});

test("a name that only begins like it is another", () => {
  expect(findExport("export const added = 1; export const $add = 2;", "add")).toBeNull();
  expect(findExport("export const $add = 2;", "$add")).toMatchObject({ line: 1 });
});
