import { OUTCOME_CODES, type Execution, type ExecutionStore } from "@bulkhead/core";
import type { Meter } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { countEnds } from "./count-ends.ts";

const succeeded = { status: "succeeded", error: null } as Execution;
const crashed = { status: "failed", error: { code: "sandbox.crashed", message: "dead" } } as Execution;
const expired = { status: "timed_out", error: { code: "execution.deadline", message: "late" } } as Execution;
const lost = { status: "lost", error: { code: "execution.lost", message: "gone" } } as Execution;

/** A store that answers what is given, and what was counted through it. */
function counting(answers: Partial<ExecutionStore>) {
  const counted: unknown[] = [];
  /** What is there before anything was counted. */
  const begun: { status: string; code: string }[] = [];
  const losses: number[] = [];
  const counters = {
    bulkhead_executions_finished_total: {
      add: (count: number, labels: { status: string; code: string }) =>
        count === 0 ? begun.push(labels) : counted.push({ count, ...labels }),
    },
    bulkhead_executions_lost_total: { add: (count: number) => losses.push(count) },
  };
  const createCounter = (name: keyof typeof counters) => counters[name];
  const meter = { createCounter } as unknown as Meter;
  return { store: countEnds(answers as ExecutionStore, meter), counted, begun, losses };
}

test('every end is there from the start at 0, so that "nothing ends" is seen before anything has', () => {
  const { begun, counted } = counting({});
  expect(counted).toEqual([]);
  expect(begun.map(({ code }) => code).toSorted()).toEqual(["none", ...OUTCOME_CODES].toSorted());
  expect(begun).toContainEqual({ status: "succeeded", code: "none" });
  expect(begun).toContainEqual({ status: "denied", code: "approval.expired" });
});

const key = { tenantId: "ten_a", executionId: "exe_a", attempt: 1 };
const ending = {} as Parameters<ExecutionStore["finish"]>[1];

test.each<[string, Partial<ExecutionStore>, (store: ExecutionStore) => Promise<unknown>, unknown[]]>([
  [
    "a holder's end",
    { finish: () => Promise.resolve(succeeded) },
    (store) => store.finish(key, ending, "1-2"),
    [{ count: 1, status: "succeeded", code: "none" }],
  ],
  [
    "a holder that came too late",
    { finish: () => Promise.resolve(null) },
    (store) => store.finish(key, ending, "1-2"),
    [],
  ],
  [
    "a conviction",
    { convict: () => Promise.resolve({ ended: crashed, quarantined: true }) },
    (store) => store.convict(key, ending, "1-2", 3),
    [{ count: 1, status: "failed", code: "sandbox.crashed" }],
  ],
  [
    "an end from outside",
    { endFromOutside: () => Promise.resolve(expired) },
    (store) => store.endFromOutside(key, ending),
    [{ count: 1, status: "timed_out", code: "execution.deadline" }],
  ],
  [
    "an end from outside that had no effect",
    { endFromOutside: () => Promise.resolve(null) },
    (store) => store.endFromOutside(key, ending),
    [],
  ],
  [
    "the overdue",
    { expireOverdue: () => Promise.resolve([expired, expired]) },
    (store) => store.expireOverdue(10),
    Array.from({ length: 2 }, () => ({ count: 1, status: "timed_out", code: "execution.deadline" })),
  ],
  [
    "the lost, but not those that run again",
    {
      recoverExpiredLeases: () =>
        Promise.resolve({
          requeued: [{ ...key, current: null, priority: 4, delayMs: 0, tool: null }],
          lost: [lost],
        }),
    },
    (store) => store.recoverExpiredLeases(10),
    [{ count: 1, status: "lost", code: "execution.lost" }],
  ],
  [
    "the lost of dead workers",
    { recoverAttemptsOf: () => Promise.resolve({ requeued: [], lost: [lost] }) },
    (store) => store.recoverAttemptsOf(["wrk_a"], 10),
    [{ count: 1, status: "lost", code: "execution.lost" }],
  ],
])("what is counted: %s", async (_what, answers, call, expected) => {
  const { store, counted, losses } = counting(answers);
  const through = await call(store);
  expect(counted).toEqual(expected);
  const lostOnes = expected.filter((each) => (each as { status: string }).status === "lost");
  expect(losses).toEqual([0, ...lostOnes.map(() => 1)]);
  expect(through).toEqual(await call(answers as ExecutionStore));
});
