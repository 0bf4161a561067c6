import { expect, test } from "vitest";
import { heldFrom } from "./use-hold.ts";

const ROWS = [{ id: "c" }, { id: "b" }, { id: "a" }];

test("rows above the held one wait, and are counted", () => {
  expect(heldFrom(ROWS, "a")).toEqual({ shown: [{ id: "a" }], waiting: 2 });
});

test("all rows show where none is held, or the held one has gone", () => {
  for (const held of [null, "c", "z"]) expect(heldFrom(ROWS, held)).toEqual({ shown: ROWS, waiting: 0 });
});
