import { expect, test } from "vitest";
import { tagsIn, withTags } from "./tags.ts";

test("tags are words with commas between them, and leave other facts alone", () => {
  expect(withTags({ a: 1, tags: ["x"] }, " b, c,b ,")).toEqual({ a: 1, tags: ["b", "c"] });
  expect(withTags({ tags: ["x"] }, "")).toBe(undefined);
  expect(tagsIn({ tags: ["a", 1] })).toEqual(["a"]);
});
