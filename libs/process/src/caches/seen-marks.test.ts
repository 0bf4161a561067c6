import { expect, test } from "vitest";
import { SeenMarks } from "./seen-marks.ts";

test("a mark that is new makes its owner's entries forgotten, once", () => {
  const forgotten: string[] = [];
  const marks = new SeenMarks((owner) => forgotten.push(owner));
  for (const [owner, mark] of [
    ["a", null],
    ["a", "1"],
    ["a", "1"],
    ["b", "1"],
    ["a", null],
    ["a", "1"],
    ["a", "2"],
    ["b", "1"],
  ] as const)
    marks.see(owner, mark);
  expect(forgotten).toEqual(["a", "b", "a"]);
});
