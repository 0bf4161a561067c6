import { expect, test } from "vitest";
import { placeIn } from "./error-words.ts";

test("an error's place in the code is read of its first frame", () => {
  expect(placeIn("Error: no\n    at read (tool.js:3:9)\n    at tool.js:12:1")).toEqual({
    line: 3,
    column: 9,
  });
  expect(placeIn("Error: no")).toBeNull();
});
