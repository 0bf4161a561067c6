import { outsiderEndEventId, TENANT_LIMITS_DEFAULT } from "@bulkhead/core";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  ALL_TOOLS,
  attemptOf,
  LEASE_MS,
  sampleExecution,
  started,
  stored,
  SUCCESS,
} from "../fixtures/samples.ts";
import { openDatabase, type Database } from "../open-database.ts";

leakCheck();

let anchor: TestDatabase;
let one: Database;
let other: Database;

beforeAll(async () => {
  anchor = await openTestDatabase();
  one = await openDatabase({ url: anchor.url, poolMax: 3 });
  other = await openDatabase({ url: anchor.url, poolMax: 3 });
});
// A sweep sees the executions of the whole database, so each test begins with none.
afterEach(() => anchor.execute("TRUNCATE executions CASCADE"));
afterAll(async () => {
  await one.close();
  await other.close();
  await anchor.close();
});

const overdue = (tenantId: string, fields = {}) =>
  sampleExecution(tenantId, { deadlineAt: new Date(Date.now() - 1_000), ...fields });

describe("expireOverdue", () => {
  test("ends what is queued past its deadline, each once although two sweep at once, and nothing else", async () => {
    const late = Array.from({ length: 30 }, () => overdue("ten_a"));
    const inTime = sampleExecution("ten_a");
    await Promise.all([...late, inTime].map((execution) => one.executions.insert(execution)));
    const running = await started(one, overdue("ten_a"));
    const swept = await Promise.all([one.executions.expireOverdue(100), other.executions.expireOverdue(100)]);
    const rest = await one.executions.expireOverdue(100);
    const ended = [...swept.flat(), ...rest];
    expect(ended.map(({ executionId }) => executionId).toSorted()).toEqual(
      late.map(({ executionId }) => executionId).toSorted(),
    );
    expect(ended[0]).toMatchObject({
      status: "timed_out",
      error: { code: "execution.deadline" },
      endEventId: outsiderEndEventId(0),
    });
    expect(await one.executions.find(inTime)).toMatchObject({ status: "queued" });
    expect(await one.executions.find(running)).toMatchObject({ status: "running" });
  });

  test("takes no more than its limit, and counts the use of what had been tried", async () => {
    const { tenantId, toolId } = await stored(one);
    const tried = await started(one, overdue(tenantId, { toolId }));
    await one.executions.handBack(tried);
    await one.executions.insert(overdue(tenantId, { toolId }));
    expect(await one.executions.expireOverdue(1)).toHaveLength(1);
    expect(await one.executions.expireOverdue(1)).toHaveLength(1);
    expect(await one.executions.expireOverdue(1)).toEqual([]);
    expect(await one.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 1 });
  });
});

/** The limits that a sample's tenant was stored with. */
const CURRENT = {
  limits: { ...TENANT_LIMITS_DEFAULT, maxConcurrentExecutions: 7 },
  asOf: expect.any(Date) as Date,
};

describe("listQueued", () => {
  test("pages from the oldest on, with the attempt to hand out and the tenant's limit", async () => {
    const { tenantId } = await stored(one);
    const known = sampleExecution(tenantId);
    const unknown = sampleExecution("ten_gone");
    await one.executions.insert(known);
    await one.executions.insert(unknown);
    const [first, second] = [known, unknown].toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1));
    const page = await one.executions.listQueued(0, null, 1);
    expect(page.map(({ executionId }) => executionId)).toEqual([first?.executionId]);
    const next = await one.executions.listQueued(0, first?.executionId ?? null, 10);
    expect(next.map(({ executionId }) => executionId)).toEqual([second?.executionId]);
    const admission = { priority: 4, delayMs: 0, tool: null };
    expect([...page, ...next]).toContainEqual({ ...attemptOf(known), ...admission, current: CURRENT });
    expect([...page, ...next]).toContainEqual({ ...attemptOf(unknown), ...admission, current: null });
  });

  test("leaves out what is younger, and what was only just handed back", async () => {
    await one.executions.insert(sampleExecution("ten_a"));
    const key = await started(one, sampleExecution("ten_a"));
    await one.executions.handBack(key);
    expect(await one.executions.listQueued(60_000, null, 10)).toEqual([]);
    expect(await one.executions.listQueued(0, null, 10)).toContainEqual(
      expect.objectContaining({ executionId: key.executionId, attempt: 2 }),
    );
  });
});

describe("recoverExpiredLeases", () => {
  test("requeues what can be run again, ends the rest as lost, and leaves what is held", async () => {
    const { tenantId, toolId } = await stored(one);
    const untouched = await started(one, sampleExecution(tenantId, { toolId }), 0);
    const idempotent = await started(one, sampleExecution(tenantId, { toolId, idempotent: true }));
    const careless = await started(one, sampleExecution(tenantId, { toolId }));
    const held = await started(one, sampleExecution(tenantId, { toolId }));
    for (const key of [idempotent, careless]) {
      await one.executions.markEffect(key, LEASE_MS);
      await one.executions.renewLeases([key], -1);
    }
    const { requeued, lost } = await one.executions.recoverExpiredLeases(10);
    const next = [untouched, idempotent].map((key) => ({ ...attemptOf(key, 2), current: CURRENT }));
    expect(requeued).toHaveLength(2);
    expect(requeued).toEqual(expect.arrayContaining(next.map((each) => expect.objectContaining(each))));
    expect(await one.executions.listAttempts(untouched)).toMatchObject([
      { attempt: 1, outcome: "lost", error: { code: "execution.lost" }, workerId: "worker-1" },
    ]);
    expect(lost).toMatchObject([
      {
        executionId: careless.executionId,
        status: "lost",
        error: { code: "execution.lost" },
        endEventId: "2-2",
      },
    ]);
    expect(await one.executions.find(held)).toMatchObject({ status: "running" });
    expect(await one.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 1 });
    expect(await one.executions.finish(careless, SUCCESS, "1-2")).toBeNull();
    expect(await one.executions.claim(attemptOf(untouched, 2), "w", LEASE_MS)).toMatchObject({ attempt: 2 });
  });

  test("two sweeps at once take each attempt once", async () => {
    await Promise.all(Array.from({ length: 30 }, () => started(one, sampleExecution("ten_a"), 0)));
    const both = await Promise.all([
      one.executions.recoverExpiredLeases(100),
      other.executions.recoverExpiredLeases(100),
    ]);
    const rest = await one.executions.recoverExpiredLeases(100);
    const ids = [...both, rest].flatMap(({ requeued }) => requeued.map(({ executionId }) => executionId));
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
  });
});

describe("recoverAttemptsOf", () => {
  test("takes what dead workers held, whatever is left of its lease, and nothing of others", async () => {
    const startedBy = async (workerId: string) => {
      const execution = sampleExecution("ten_a");
      await one.executions.insert(execution);
      await one.executions.claim(attemptOf(execution), workerId, LEASE_MS);
      return attemptOf(execution);
    };
    const untouched = await startedBy("wrk_dead");
    const careless = await startedBy("wrk_dead_too");
    await one.executions.markEffect(careless, LEASE_MS);
    const held = await startedBy("wrk_alive");
    const both = await Promise.all(
      [one, other].map(({ executions }) => executions.recoverAttemptsOf(["wrk_dead", "wrk_dead_too"], 10)),
    );
    const { executionId } = untouched;
    expect(both.flatMap(({ requeued }) => requeued)).toMatchObject([{ executionId, attempt: 2 }]);
    expect(both.flatMap(({ lost }) => lost)).toMatchObject([
      { executionId: careless.executionId, status: "lost", error: { code: "execution.lost" } },
    ]);
    expect(await one.executions.find(held)).toMatchObject({ status: "running" });
    expect(await one.executions.listAttempts(untouched)).toMatchObject([
      { attempt: 1, outcome: "lost", workerId: "wrk_dead" },
    ]);
    // What a dead worker's connection still brings is too late.
    expect(await one.executions.markEffect(untouched, LEASE_MS)).toBe(false);
    expect(await one.executions.finish(untouched, SUCCESS, "1-2")).toBeNull();
    expect(await one.executions.recoverAttemptsOf([], 10)).toEqual({ requeued: [], lost: [] });
  });
});

test("ensurePartitions may be called at any time, by several", async () => {
  await Promise.all([one.executions.ensurePartitions(), other.executions.ensurePartitions()]);
  await one.executions.insert(sampleExecution("ten_a"));
});
