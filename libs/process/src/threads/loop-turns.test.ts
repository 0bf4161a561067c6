import { afterEach, expect, test, vi } from "vitest";
import { LoopTurns } from "./loop-turns.ts";

afterEach(() => void vi.useRealTimers());

/** Turns on a clock that steps move. */
function turns() {
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  let now = 0;
  const done: string[] = [];
  const loop = new LoopTurns(() => now);
  const take = (tenantId: string, steps: number, ms: number): void => {
    let left = steps;
    loop.take(tenantId, () => {
      now += ms;
      done.push(tenantId);
      left -= 1;
      return left > 0;
    });
  };
  return { take, done, turn: () => vi.advanceTimersToNextTimer() };
}

test("nothing is done before the next turn of the loop", () => {
  const { take, done, turn } = turns();
  take("a", 1, 1);
  expect(done).toEqual([]);
  turn();
  expect(done).toEqual(["a"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a stretch ends in time, and what is left goes on in the next turn", () => {
  const { take, done, turn } = turns();
  take("a", 10, 1);
  turn();
  expect(done).toHaveLength(4);
  turn();
  expect(done).toHaveLength(8);
  turn();
  expect(done).toHaveLength(10);
  expect(vi.getTimerCount()).toBe(0);
});

test("who has used least comes next, however much of another's waits", () => {
  const { take, done, turn } = turns();
  for (let job = 0; job < 8; job += 1) take("loud", 100, 4);
  turn();
  take("quiet", 2, 1);
  turn();
  expect(done).toEqual(["loud", "quiet", "quiet", "loud"]);
});

test("a tenant's own jobs take turns", () => {
  const { take, done, turn } = turns();
  const order: number[] = [];
  const loop = new LoopTurns(() => 0);
  for (const job of [1, 2]) {
    let left = 3;
    loop.take("a", () => (order.push(job), --left > 0));
  }
  turn();
  expect(order).toEqual([1, 2, 1, 2, 1, 2]);
  take("a", 1, 1);
  turn();
  expect(done).toEqual(["a"]);
});

test("a step that throws ends its job alone", () => {
  const { turn } = turns();
  const loop = new LoopTurns(() => 0);
  const other = vi.fn(() => false);
  loop.take("a", () => {
    throw new Error("broken");
  });
  loop.take("b", other);
  expect(turn).toThrow("broken");
  turn();
  expect(other).toHaveBeenCalledOnce();
});
