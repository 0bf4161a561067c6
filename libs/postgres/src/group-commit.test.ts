import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GroupCommit, type BatchFailure, type GroupCommitBounds } from "./group-commit.ts";

const BOUNDS: GroupCommitBounds = {
  itemsMax: 10,
  weightMax: 100,
  flightsMax: 1,
  waitingMax: 50,
  waitMsMax: 1_000,
};

/** Flushes end only when the test says so. */
function controlled(bounds: Partial<GroupCommitBounds> = {}, failureOf: () => BatchFailure = () => "item") {
  const flushes: { items: string[]; end: (error?: Error) => void }[] = [];
  const clock = { now: 0 };
  const group = new GroupCommit<string, string>({
    flush: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`)));
        flushes.push({ items, end });
      }),
    failureOf,
    toFault: (error) => new Error("translated", { cause: error }),
    refusal: () => new Error("refused"),
    weigh: (item) => item.length,
    bounds: { ...BOUNDS, ...bounds },
    now: () => clock.now,
  });
  return { group, flushes, clock };
}

/** Lets everything that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A store whose commits take no time and which refuses items called "bad…". */
function poisoned(failure: BatchFailure, refusals = Infinity) {
  const batches: string[][] = [];
  let left = refusals;
  const group = new GroupCommit<string, string>({
    async flush(items) {
      batches.push(items);
      if (left > 0 && items.some((item) => item.startsWith("bad"))) {
        left -= 1;
        throw new Error("refused by the database");
      }
      return items.map((item) => `${item}!`);
    },
    failureOf: () => failure,
    toFault: (error) => new Error("translated", { cause: error }),
    refusal: () => new Error("refused"),
    weigh: () => 1,
    bounds: BOUNDS,
    now: () => 0,
  });
  return { group, batches };
}

describe("natural batching", () => {
  test("a lone call is flushed at once", async () => {
    const { group, flushes } = controlled();
    const answer = group.submit("a");
    await settle();
    expect(flushes.map(({ items }) => items)).toEqual([["a"]]);
    flushes[0]?.end();
    expect(await answer).toBe("a!");
  });

  test("what arrives while a flush is under way goes together in the next", async () => {
    const { group, flushes } = controlled();
    const first = group.submit("a");
    await settle();
    const rest = ["b", "c", "d"].map((item) => group.submit(item));
    await settle();
    expect(flushes).toHaveLength(1);
    flushes[0]?.end();
    await settle();
    expect(flushes[1]?.items).toEqual(["b", "c", "d"]);
    flushes[1]?.end();
    expect(await Promise.all([first, ...rest])).toEqual(["a!", "b!", "c!", "d!"]);
  });

  test("nobody is answered before their own flush has ended", async () => {
    const { group, flushes } = controlled();
    const answered: string[] = [];
    const calls = [group.submit("a"), settle().then(() => group.submit("b"))];
    for (const call of calls) void call.then((answer) => answered.push(answer));
    await settle();
    await settle();
    expect(answered).toEqual([]);
    flushes[0]?.end();
    await settle();
    expect(answered).toEqual(["a!"]);
    flushes[1]?.end();
    await Promise.all(calls);
    expect(answered).toEqual(["a!", "b!"]);
  });
});

describe("on a saturated machine", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const tick = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test("what comes often waits for company, and a drain for nobody", async () => {
    const batches: number[] = [];
    const group = new GroupCommit<string, string>({
      flush: async (items) => {
        batches.push(items.length);
        return items;
      },
      failureOf: () => "all",
      toFault: () => new Error("translated"),
      refusal: () => new Error("refused"),
      weigh: () => 1,
      bounds: BOUNDS,
      now: () => performance.now(),
      isSaturated: () => true,
    });
    const calls: Promise<string>[] = [];
    for (let ms = 0; ms < 64; ms += 1) {
      calls.push(group.submit("a"));
      await tick(1);
    }
    await tick(8);
    expect(await Promise.all(calls)).toHaveLength(64);
    // One at a time until two gaps have shown that much comes.
    expect(batches.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 1));
    expect(batches.filter((items) => items === 8).length).toBeGreaterThanOrEqual(4);
    expect(batches.length).toBeLessThanOrEqual(16 + 8 + 2);
    const last = group.submit("a");
    await group.drain();
    expect(await last).toBe("a");
  });
});

describe("bounds", () => {
  test("a flush takes no more items and no more weight than it may, and a heavier item goes alone", async () => {
    const { group, flushes } = controlled({ itemsMax: 2, weightMax: 5 });
    const calls = ["a", "b", "c", "dddd", "eeeeeeeee", "f"].map((item) => group.submit(item));
    const seen: string[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await settle();
      seen.push(flushes[turn]?.items ?? []);
      flushes[turn]?.end();
    }
    expect(seen).toEqual([["a", "b"], ["c", "dddd"], ["eeeeeeeee"], ["f"]]);
    await Promise.all(calls);
  });

  test("no more flushes are under way than there may be", async () => {
    const { group, flushes } = controlled({ itemsMax: 1, flightsMax: 2 });
    const calls = ["a", "b", "c"].map((item) => group.submit(item));
    await settle();
    expect(flushes).toHaveLength(2);
    flushes[1]?.end();
    await settle();
    expect(flushes).toHaveLength(3);
    flushes[0]?.end();
    flushes[2]?.end();
    await Promise.all(calls);
  });

  test("a call that finds no room is refused at once", async () => {
    const { group, flushes } = controlled({ waitingMax: 1 });
    const first = group.submit("a");
    await settle();
    const second = group.submit("b");
    await expect(group.submit("c")).rejects.toThrow("refused");
    flushes[0]?.end();
    await settle();
    flushes[1]?.end();
    expect(await Promise.all([first, second])).toEqual(["a!", "b!"]);
  });

  test("a call that waited too long for its flush is refused and never flushed", async () => {
    const { group, flushes, clock } = controlled();
    const first = group.submit("a");
    await settle();
    const late = expect(group.submit("b")).rejects.toThrow("refused");
    clock.now = BOUNDS.waitMsMax + 1;
    const fresh = group.submit("c");
    flushes[0]?.end();
    await late;
    await settle();
    expect(flushes[1]?.items).toEqual(["c"]);
    flushes[1]?.end();
    await Promise.all([first, fresh]);
  });
});

describe("failures", () => {
  test("one item that can't be committed fails its own caller only", async () => {
    const { group, batches } = poisoned("item");
    const items = ["a", "b", "c", "bad", "d", "e", "f"];
    const settled = await Promise.allSettled(items.map((item) => group.submit(item)));
    expect(settled.map(({ status }) => status)).toEqual(
      items.map((item) => (item === "bad" ? "rejected" : "fulfilled")),
    );
    expect(settled[3]).toMatchObject({ reason: { message: "translated" } });
    expect(batches.map((batch) => batch.length)).toEqual([7, 4, 2, 2, 1, 1, 3]);
  });

  test("a collision is tried again with the same batch, a bounded number of times", async () => {
    const passing = poisoned("contention", 2);
    expect(await passing.group.submit("bad")).toBe("bad!");
    const hopeless = poisoned("contention");
    await expect(hopeless.group.submit("bad")).rejects.toThrow("translated");
    expect(hopeless.batches).toHaveLength(4);
  });

  test("a failure that concerns every item is not tried again", async () => {
    const { group, batches } = poisoned("all");
    const settled = await Promise.allSettled(["a", "bad", "c"].map((item) => group.submit(item)));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(batches).toHaveLength(1);
  });

  test("a flush that answers too few calls fails them all", async () => {
    const group = new GroupCommit<string, string>({
      flush: async () => [],
      failureOf: () => "all",
      toFault: () => new Error("translated"),
      refusal: () => new Error("refused"),
      weigh: () => 1,
      bounds: BOUNDS,
      now: () => 0,
    });
    await expect(group.submit("a")).rejects.toThrow("translated");
  });
});

test("drain waits for what was submitted, also by those that were answered meanwhile", async () => {
  const { group, flushes } = controlled();
  const chained = group.submit("a").then(() => group.submit("b"));
  const drained = group.drain();
  await settle();
  flushes[0]?.end();
  await settle();
  expect(flushes).toHaveLength(2);
  flushes[1]?.end();
  await drained;
  expect(await chained).toBe("b!");
});
