import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KeyUses } from "./key-uses.ts";

const KEYS_MAX = 20_000;
let written: [string, number][][];
let store: () => Promise<void>;
let reports: number;
let uses: KeyUses;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  written = [];
  reports = 0;
  store = async () => undefined;
  uses = new KeyUses({
    apiKeys: {
      used: (asked) => {
        written.push([...asked].map(([keyId, at]) => [keyId, at.getTime()]));
        return store();
      },
    },
    clock: () => new Date(),
    report: () => void (reports += 1),
  });
});
afterEach(async () => {
  await uses.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("a key that is used all the time is written once a minute, and others beside it", async () => {
  for (let ms = 0; ms < 120_000; ms += 100) {
    uses.saw("busy");
    if (ms === 500) uses.saw("quiet");
    await pass(100);
  }
  expect(written).toEqual([
    [
      ["busy", 0],
      ["quiet", 500],
    ],
    [["busy", 60_000]],
  ]);
});

test("a request never waits for the store, and a store that hangs is asked once", async () => {
  const hung = Promise.withResolvers<void>();
  store = () => hung.promise;
  uses.saw("a");
  await pass(1_000);
  for (let n = 0; n < 100; n += 1) {
    uses.saw(`later_${n}`);
    await pass(1_000);
  }
  expect(written).toHaveLength(1);
  store = async () => undefined;
  hung.resolve();
  await pass(1_000);
  expect(written[1]).toHaveLength(100);
});

test("what could not be written is written later, with one report for each failure", async () => {
  store = () => Promise.reject(new Error("away"));
  uses.saw("a");
  await pass(1_000);
  store = async () => undefined;
  await pass(9_999);
  expect([written.length, reports]).toEqual([1, 1]);
  await pass(1);
  expect(written).toEqual([[["a", 0]], [["a", 0]]]);
});

test("however many keys there are, what waits is bounded, and goes a thousand at a time", async () => {
  for (let n = 0; n < KEYS_MAX + 500; n += 1) uses.saw(`key_${n}`);
  await pass(60_000);
  expect(written.flat()).toHaveLength(KEYS_MAX);
  expect(Math.max(...written.map((one) => one.length))).toBe(1_000);
});

test("a process that stops writes what it has seen, and waits for no timer", async () => {
  uses.saw("a");
  await uses.close();
  expect(written).toEqual([[["a", 0]]]);
  uses.saw("b");
  await uses.close();
  expect(written).toHaveLength(1);
});
