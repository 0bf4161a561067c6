import { expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";

const MANY = Array.from({ length: 1_000 }, (_, place) => place);

/** Keeps the processor for so many milliseconds. */
function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;) continue;
}

test("each is done once, in order, with its place", async () => {
  const seen: [number, number][] = [];
  const done = await inTurns(
    MANY,
    (item, place) => (seen.push([item, place]), place % 2 ? item : Promise.resolve(item)),
  );
  expect(done).toEqual(MANY);
  expect(seen).toEqual(MANY.map((item) => [item, item]));
});

test("whoever waits for the event loop has a turn before a long list, and again and again within it", async () => {
  const turns: number[] = [];
  let done = 0;
  const look = (): void => {
    turns.push(done);
    if (done < MANY.length) setImmediate(look);
  };
  setImmediate(look);
  await inTurns(MANY, () => {
    work(0.1);
    done += 1;
  });
  expect(turns[0]).toBe(0);
  expect(new Set(turns).size).toBeGreaterThan(5);
});

test("what is asked of others is asked by a few at a time, with a pause between", async () => {
  let asked = 0;
  let atOnceMax = 0;
  let pauses = 0;
  const ask = async (): Promise<void> => {
    atOnceMax = Math.max(atOnceMax, (asked += 1));
    await new Promise((resolve) => setTimeout(resolve, 10));
    asked -= 1;
  };
  const pause = () => Promise.resolve(void (pauses += 1));
  await inTurns(MANY.slice(0, 40), ask, { atOnce: 8, pause });
  expect(atOnceMax).toBe(8);
  // Each part takes longer than others are kept waiting.
  expect(pauses).toBe(5);
});

test("a short list, and the first failure, hold for what they are", async () => {
  expect(await inTurns([], () => 1)).toEqual([]);
  await expect(inTurns(MANY, (item) => Promise.reject(new Error(`no ${item}`)))).rejects.toThrow("no 0");
});
