import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GiveWay } from "./give-way.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

vi.mock("node:timers/promises", () => ({ setTimeout: vi.fn(() => Promise.resolve()) }));
const pauses = (): unknown[] =>
  vi
    .mocked(delay)
    .mock.calls.splice(0)
    .map(([ms]) => ms);

test("where nobody calls alone, a list goes on at once", async () => {
  const partDone = new GiveWay().begin();
  vi.advanceTimersByTime(100);
  await partDone();
  expect(pauses()).toEqual([]);
});

test("others have two thirds of the time, part by part, as long as they come", async () => {
  const giveWay = new GiveWay();
  giveWay.came();
  const partDone = giveWay.begin();
  vi.advanceTimersByTime(40);
  await partDone();
  vi.advanceTimersByTime(7);
  await partDone();
  expect(pauses()).toEqual([80, 14]);
  vi.advanceTimersByTime(1_000);
  await partDone();
  expect(pauses()).toEqual([]);
});

test("a pause is no part of the next one's work, and no longer than its bound", async () => {
  const giveWay = new GiveWay();
  const partDone = giveWay.begin();
  vi.mocked(delay).mockImplementation(async (ms) => void vi.advanceTimersByTime(ms ?? 0));
  giveWay.came();
  vi.advanceTimersByTime(900);
  await partDone();
  giveWay.came();
  vi.advanceTimersByTime(5);
  await partDone();
  expect(pauses()).toEqual([250, 10]);
});
