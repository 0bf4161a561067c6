import { newExecutionId, type NewExecution } from "@bulkhead/core";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CALLBACK, ended, newTenant } from "../fixtures/deliveries.ts";
import { attemptOf, LEASE_MS, sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { one, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

let sql: Client;

beforeAll(async () => {
  sql = new Client({ connectionString: testDatabase.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
});

describe("the end of an execution with a callback", () => {
  const DENIED = { status: "cancelled", error: { code: "execution.cancelled", message: "" } } as const;

  test.each<[string, (execution: NewExecution) => Promise<unknown>]>([
    ["finished by its holder", async (e) => one.executions.finish(await started(one, e), SUCCESS, "1-2")],
    [
      "convicted",
      async (e) => one.executions.convict(await started(one, e), { ...SUCCESS, status: "failed" }, "1-2", 3),
    ],
    [
      "cancelled while queued",
      async (e) => {
        await one.executions.insert(e);
        await one.executions.endFromOutside(e, DENIED);
      },
    ],
    [
      "past its deadline",
      async (e) => {
        await one.executions.insert({ ...e, deadlineAt: new Date(Date.now() - 1_000) });
        await one.executions.expireOverdue(10);
      },
    ],
    [
      "lost with its worker",
      async (e) => {
        const attempt = await started(one, e);
        await one.executions.markEffect(attempt, LEASE_MS);
        await sql.query("UPDATE executions SET lease_until = now() - interval '1 s' WHERE id = $1", [
          e.executionId,
        ]);
        await one.executions.recoverExpiredLeases(10);
      },
    ],
  ])("is on its way once, when it is %s", async (_how, end) => {
    const tenantId = await newTenant(one);
    const execution = sampleExecution(tenantId, { callback: CALLBACK });
    await end(execution);
    expect((await one.executions.find(execution))?.finishedAt).not.toBeNull();
    expect(await one.deliveries.list(execution)).toMatchObject([
      { n: 1, url: CALLBACK.url, status: "pending", tries: [], nextTryAt: expect.any(Date) },
    ]);
  });

  test("is on its way from every partition, also the default one and those to come", async () => {
    const tenantId = await newTenant(one);
    await one.executions.ensurePartitions();
    const week = 7 * 24 * 3_600_000;
    for (const at of [0, week, 50 * week]) {
      const executionId = newExecutionId(new Date(Date.now() + at));
      const key = await ended(one, tenantId, { executionId });
      expect(await one.deliveries.list(key)).toHaveLength(1);
      await sql.query("DELETE FROM executions WHERE id = $1", [executionId]);
    }
  });

  test("is not on its way without an end, or without a callback", async () => {
    const tenantId = await newTenant(one);
    const attempt = await started(one, sampleExecution(tenantId, { callback: CALLBACK }));
    await one.executions.handBack(attempt);
    expect(await one.deliveries.list(attempt)).toEqual([]);
    expect(await one.deliveries.list(await ended(one, tenantId, { callback: null }))).toEqual([]);
  });

  test("is another tenant's to see or to repeat never", async () => {
    const key = await ended(one, await newTenant(one));
    const theirs = { ...key, tenantId: await newTenant(one) };
    expect(await one.deliveries.list(theirs)).toEqual([]);
    expect(await one.deliveries.redeliver({ ...theirs, n: 1 })).toBeNull();
  });

  test("vanishes with it", async () => {
    const tenantId = await newTenant(one);
    const start = new Date(Date.now() - 30 * 24 * 3_600_000);
    await sql.query(
      `CREATE TABLE executions_${dayOf(start)} PARTITION OF executions FOR VALUES
        FROM ('${(await floorOf(start)).from}') TO ('${(await floorOf(start)).to}')`,
    );
    const old = await ended(one, tenantId, { executionId: newExecutionId(start) });
    const fresh = await ended(one, tenantId);
    expect(await one.executions.dropOldExecutions(14)).toBe(1);
    expect(await one.deliveries.list(old)).toEqual([]);
    expect(await one.deliveries.list(fresh)).toHaveLength(1);
  });

  const mondayOf = (at: Date): Date => {
    const day = new Date(at.toISOString().slice(0, 10));
    return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 24 * 3_600_000);
  };
  const dayOf = (at: Date): string => mondayOf(at).toISOString().slice(0, 10).replaceAll("-", "");
  const floorOf = async (at: Date) => {
    const { rows } = await sql.query(
      "SELECT execution_id_floor($1) AS from, execution_id_floor($1 + interval '168 hours') AS to",
      [mondayOf(at)],
    );
    return rows[0];
  };
});

test("attempts of one execution deliver once", async () => {
  const tenantId = await newTenant(one);
  const execution = sampleExecution(tenantId, { callback: CALLBACK });
  const first = await started(one, execution);
  await one.executions.handBack(first);
  await one.executions.claim(attemptOf(execution, 2), "worker-2", 60_000);
  await one.executions.finish(attemptOf(execution, 2), SUCCESS, "2-2");
  expect(await one.executions.finish(attemptOf(execution, 2), SUCCESS, "2-2")).not.toBeNull();
  expect(await one.deliveries.list(execution)).toHaveLength(1);
});
