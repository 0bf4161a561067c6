import { expect, test } from "vitest";
import { Batch } from "./batch.ts";

test("what is asked for in one turn of the event loop is done in one go", async () => {
  const goes: number[][] = [];
  const batch = new Batch<number>(100, async (items) => void goes.push(items));
  await Promise.all([1, 2, 3].map((item) => batch.add(item)));
  await batch.add(4);
  expect(goes).toEqual([[1, 2, 3], [4]]);
});

test("a go is never larger than the bound", async () => {
  const goes: number[][] = [];
  const batch = new Batch<number>(2, async (items) => void goes.push(items));
  await Promise.all([1, 2, 3, 4, 5].map((item) => batch.add(item)));
  expect(goes).toEqual([[1, 2], [3, 4], [5]]);
});

test("those of a failed go are told, the others are not touched", async () => {
  const batch = new Batch<number>(2, async (items) => {
    if (items.includes(1)) throw new Error("refused");
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batch.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});
