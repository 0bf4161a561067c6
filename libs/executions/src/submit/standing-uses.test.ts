import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StandingCounter } from "./standing-uses.ts";

let written: [string, number, number][][];
let store: () => Promise<void>;
let reports: number;
let counter: StandingCounter;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  written = [];
  reports = 0;
  store = async () => undefined;
  counter = new StandingCounter({
    approvals: {
      countStandingUses: (uses) => {
        written.push([...uses].map(([id, { count, at }]) => [id, count, at.getTime()]));
        return store();
      },
    },
    clock: () => new Date(),
    report: () => void (reports += 1),
  });
});
afterEach(async () => {
  await counter.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("uses are gathered, and written with the last one's moment", async () => {
  counter.saw("a");
  await pass(500);
  counter.saw("a");
  counter.saw("b");
  await pass(2_000);
  expect(written).toEqual([
    [
      ["a", 2, 500],
      ["b", 1, 500],
    ],
  ]);
  counter.saw("a");
  await pass(2_000);
  expect(written[1]).toEqual([["a", 1, 2_500]]);
});

test("a store that hangs is asked once, and what came meanwhile goes next", async () => {
  const hung = Promise.withResolvers<void>();
  store = () => hung.promise;
  counter.saw("a");
  await pass(2_000);
  counter.saw("b");
  await pass(60_000);
  expect(written).toHaveLength(1);
  store = async () => undefined;
  hung.resolve();
  await pass(2_000);
  expect(written[1]).toEqual([["b", 1, 2_000]]);
});

test("what failed is reported, and never counted twice", async () => {
  store = () => Promise.reject(new Error("away"));
  counter.saw("a");
  await pass(60_000);
  expect([written.length, reports]).toEqual([1, 1]);
});

test("a process that stops writes what it has seen, and counts nothing after", async () => {
  counter.saw("a");
  await counter.close();
  counter.saw("b");
  await pass(60_000);
  expect(written).toEqual([[["a", 1, 0]]]);
});
