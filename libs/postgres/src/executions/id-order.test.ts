import { expect, test } from "vitest";
import { byPlace, inIdOrder } from "./id-order.ts";

test("a batch is ordered by id and every item keeps its place", () => {
  const items = inIdOrder(["exe_c", "exe_a", "exe_b", "exe_a"], (id) => id);
  expect(items.map(({ item }) => item)).toEqual(["exe_a", "exe_a", "exe_b", "exe_c"]);
  expect(items.map(({ place }) => place)).toEqual([1, 3, 2, 0]);
});

test("answers come back at the places of their questions, null where there is none", () => {
  expect(byPlace(3, [{ place: 2, answer: "z" }])).toEqual([null, null, "z"]);
});
