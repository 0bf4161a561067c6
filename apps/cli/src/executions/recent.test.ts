import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("an id is new once, until as many others came", () => {
  const recent = new Recent(2);
  expect(["a", "a", "b", "a", "c", "b", "a"].map((id) => recent.isNew(id))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
});
