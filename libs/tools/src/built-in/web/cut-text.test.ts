import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test.each([
  ["ab", 2, "ab"],
  ["abc", 2, "ab"],
  ["a😀", 2, "a"],
  ["a😀b", 3, "a😀"],
  ["😀", 1, ""],
  ["😀😀", 3, "😀"],
  ["a", 0, ""],
])("%j cut to %i is %j", (text, charsMax, cut) => {
  expect(cutText(text, charsMax)).toBe(cut);
});
