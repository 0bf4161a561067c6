import { beforeEach, expect, test } from "vitest";
import { BatchYield } from "./batch-yield.ts";

let now = 0;
let paused: number[] = [];
beforeEach(() => {
  paused = [];
});
/** What it waited since this was last asked, in milliseconds; a pause itself takes no time unless `takesTime`. */
const pauses = (): number[] => paused.splice(0);
const batchYieldThat = ({ takesTime = false } = {}): BatchYield =>
  new BatchYield(
    () => now,
    async (ms) => {
      paused.push(ms);
      if (takesTime) now += ms;
    },
  );

test("where nobody calls alone, a list goes on at once", async () => {
  const partDone = batchYieldThat().begin();
  now += 100;
  await partDone();
  expect(pauses()).toEqual([]);
});

test("others have two thirds of the time, part by part, as long as they come", async () => {
  const batchYield = batchYieldThat();
  batchYield.came();
  const partDone = batchYield.begin();
  now += 40;
  await partDone();
  now += 7;
  await partDone();
  expect(pauses()).toEqual([80, 14]);
  now += 1_000;
  await partDone();
  expect(pauses()).toEqual([]);
});

test("a pause is no part of the next one's work, and no longer than its bound", async () => {
  const batchYield = batchYieldThat({ takesTime: true });
  const partDone = batchYield.begin();
  batchYield.came();
  now += 900;
  await partDone();
  batchYield.came();
  now += 5;
  await partDone();
  expect(pauses()).toEqual([250, 10]);
});
