import { expect, test } from "vitest";
import { PlacesInMemory } from "./places.ts";

test("so many go on at once, the others in the order in which they came", async () => {
  const places = new PlacesInMemory(2);
  const began: number[] = [];
  const all = [0, 1, 2, 3].map(async (n) => {
    await places.take();
    began.push(n);
  });
  await Promise.all(all.slice(0, 2));
  expect(began).toEqual([0, 1]);
  places.giveBack();
  await all[2];
  expect(began).toEqual([0, 1, 2]);
  places.giveBack();
  await all[3];
  expect(began).toEqual([0, 1, 2, 3]);
});
