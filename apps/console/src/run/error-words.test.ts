import { expect, test } from "vitest";
import { ERROR_WORDS, placeIn, shownError } from "./error-words.ts";

test("an error's place in the code is read of its first frame", () => {
  expect(placeIn("Error: no\n    at read (tool.js:3:9)\n    at tool.js:12:1")).toEqual({
    line: 3,
    column: 9,
  });
  expect(placeIn("Error: no")).toBeNull();
});

test("a refused call of a built-in tool is shown by why it was refused, and by no words about code", () => {
  const refused = shownError({ code: "tool.threw", refusal: "not_found" });
  expect(refused).toMatchObject({ code: "not_found", title: "The call was refused" });
  expect(refused.next).not.toContain("mend the code");
  expect(shownError({ code: "tool.threw" })).toEqual({ code: "tool.threw", ...ERROR_WORDS["tool.threw"] });
});
