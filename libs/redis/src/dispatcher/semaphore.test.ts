import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("so many go on at once, the others in the order in which they came", async () => {
  const semaphore = new Semaphore(2);
  const began: number[] = [];
  const all = [0, 1, 2, 3].map(async (n) => {
    await semaphore.acquire();
    began.push(n);
  });
  await Promise.all(all.slice(0, 2));
  expect(began).toEqual([0, 1]);
  semaphore.release();
  await all[2];
  expect(began).toEqual([0, 1, 2]);
  semaphore.release();
  await all[3];
  expect(began).toEqual([0, 1, 2, 3]);
});
