import type { Ending, RetryPolicy } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import {
  ALL_TOOLS,
  attemptOf,
  LEASE_MS,
  sampleExecution,
  started,
  stored,
  SUCCESS,
} from "../fixtures/samples.ts";
import { one, other, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

const FAILED: Ending = {
  ...SUCCESS,
  status: "failed",
  result: null,
  error: { code: "tool.threw", message: "no" },
};
const retry: RetryPolicy = { attempts: 3, backoffMs: 10, on: ["tool.threw"] };
const when = { delayMs: 5_000, triesMax: 3 };

describe("retryLater", () => {
  test("queues the next try at once where there is no pause, whatever the time is rounded to", async () => {
    const { tenantId, toolId } = await stored(one);
    const delays: (number | undefined)[] = [];
    for (let times = 0; times < 20; times += 1) {
      const first = await started(one, sampleExecution(tenantId, { toolId, retry }));
      delays.push((await one.executions.retryLater(first, FAILED, { ...when, delayMs: 0 }))?.delayMs);
    }
    expect(delays).toEqual(delays.map(() => 0));
  });

  test("queues the next try with its pause, and records how this one ended", async () => {
    const { tenantId, toolId } = await stored(one, { dispatch: { maxConcurrent: 2 } });
    const first = await started(one, sampleExecution(tenantId, { toolId, retry, priority: 7 }));
    const next = await one.executions.retryLater(first, FAILED, when);
    expect(next).toMatchObject({ attempt: 2, priority: 7, tool: { id: toolId, maxConcurrent: 2 } });
    expect(next?.delayMs).toBeGreaterThan(4_000);
    const found = await one.executions.find(first);
    expect(found).toMatchObject({ status: "queued", attempt: 1, error: null, startedAt: null });
    expect(await one.executions.listAttempts(first)).toMatchObject([
      {
        attempt: 1,
        outcome: "failed",
        error: FAILED.error,
        usage: FAILED.usage,
        endedBy: "guest",
        workerId: "worker-1",
      },
    ]);
    expect(await one.executions.listAttempts({ ...first, tenantId: "ten_other" })).toEqual([]);
    expect(await one.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 0 });
  });

  test("stops at the last try that the policy has; tries that were handed back cost none", async () => {
    const first = await started(one, sampleExecution("ten_a", { retry }));
    await one.executions.handBack(first);
    for (const attempt of [2, 3]) {
      const key = attemptOf(first, attempt);
      expect(await one.executions.claim(key, "w", LEASE_MS)).toMatchObject({ retry, failures: attempt - 2 });
      expect(await one.executions.retryLater(key, FAILED, when)).toMatchObject({ attempt: attempt + 1 });
    }
    const last = attemptOf(first, 4);
    await one.executions.claim(last, "w", LEASE_MS);
    expect(await one.executions.retryLater(last, FAILED, when)).toBeNull();
    expect(await one.executions.finish(last, FAILED, "4-2")).toMatchObject({ status: "failed", attempt: 4 });
    const past = await one.executions.listAttempts(first);
    expect(past.map(({ outcome }) => outcome)).toEqual(["handed_back", "failed", "failed"]);
  });

  test("is refused after an effect, unless the tool is idempotent", async () => {
    const careless = await started(one, sampleExecution("ten_a", { retry }));
    const idempotent = await started(one, sampleExecution("ten_a", { retry, idempotent: true }));
    for (const key of [careless, idempotent]) await one.executions.markEffect(key, LEASE_MS);
    expect(await one.executions.retryLater(careless, FAILED, when)).toBeNull();
    expect(await one.executions.retryLater(idempotent, FAILED, when)).not.toBeNull();
    // The next try starts without an effect of its own.
    const again = await one.executions.claim(attemptOf(idempotent, 2), "w", 0);
    expect(again).not.toBeNull();
  });

  test("is refused when the pause ends after the deadline, and to who no longer holds the attempt", async () => {
    const key = await started(one, sampleExecution("ten_a", { retry }));
    expect(await one.executions.retryLater(key, FAILED, { delayMs: 120_000, triesMax: 3 })).toBeNull();
    expect(await one.executions.retryLater(attemptOf(key, 2), FAILED, when)).toBeNull();
    await other.executions.endFromOutside(key, { status: "cancelled", error: null });
    expect(await one.executions.retryLater(key, FAILED, when)).toBeNull();
  });

  test("of many at once, one is taken", async () => {
    const key = await started(one, sampleExecution("ten_a", { retry }));
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? one : other).executions.retryLater(key, FAILED, when)),
    );
    expect(all.filter((next) => next !== null)).toHaveLength(1);
  });
});

test("a suspect's first try is on record when it is tried alone", async () => {
  const key = await started(one, sampleExecution("ten_a"));
  expect(await one.executions.tryAgain(key, LEASE_MS)).toBe(true);
  expect(await one.executions.listAttempts(key)).toMatchObject([
    { attempt: 1, outcome: "lost", error: { code: "sandbox.crashed" } },
  ]);
});

describe("what can be replayed", () => {
  const ended = async (tenantId: string, status: "failed" | "succeeded", fields = {}) => {
    const key = await started(one, sampleExecution(tenantId, fields));
    await one.executions.finish(key, status === "failed" ? FAILED : SUCCESS, "1-2");
    return key;
  };

  test("is what ended, is a stored tool's own call, and was not replayed yet", async () => {
    const tenantId = "ten_replay";
    const failed = await ended(tenantId, "failed");
    const replayed = await ended(tenantId, "failed");
    await ended(tenantId, "succeeded");
    const dry = {
      toolId: null,
      inlineTool: {
        code: "",
        permissions: [],
        limits: {} as never,
        allowedHosts: null,
        outputSchema: null,
        services: [],
      },
    };
    const dryRun = await ended(tenantId, "failed", dry);
    expect(await one.executions.findReplayable(failed)).toMatchObject({ toolId: expect.any(String) });
    expect(await one.executions.findReplayable(dryRun)).toMatchObject({ toolId: null });
    await one.executions.insert(sampleExecution(tenantId, { replayOf: replayed.executionId }));
    const listed = (narrower: object = {}) =>
      one.executions.listReplayable(tenantId, { statuses: ["failed"], ...narrower }, 10);
    expect((await listed()).map(({ executionId }) => executionId)).toEqual([failed.executionId]);
    expect(await listed({ errorCode: "tool.wall_limit" })).toEqual([]);
    expect(await listed({ errorCode: "tool.threw" })).toHaveLength(1);
    const soon = new Date(Date.now() + 60_000);
    expect(await listed({ from: soon })).toEqual([]);
    expect(await listed({ to: soon })).toHaveLength(1);
  });

  test("carries the call's own time, its delay not counted", async () => {
    const createdAt = new Date();
    const key = await started(
      one,
      sampleExecution("ten_a", {
        createdAt,
        delayMs: 10_000,
        deadlineAt: new Date(createdAt.getTime() + 40_000),
      }),
    );
    const found = await one.executions.findReplayable(key);
    // The delay begins in the database, at some moment since the call.
    const sinceMs = Date.now() - createdAt.getTime();
    expect(found?.timeoutMs).toBeLessThanOrEqual(30_000);
    expect(found?.timeoutMs).toBeGreaterThanOrEqual(30_000 - sinceMs - 1);
    expect(await one.executions.findReplayable({ ...key, tenantId: "ten_b" })).toBeNull();
  });
});
