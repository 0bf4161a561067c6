import { strict as assert } from "node:assert";
import { newExecutionId, type Ending, type NewExecution, type UsageQuestion } from "@bulkhead/core";
import { isNightly, queryRows, until } from "@bulkhead/testing";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleExecution, started, stored, SUCCESS } from "../fixtures/samples.ts";
import { openClient } from "../client.ts";
import type { PrismaClient } from "../generated/client.ts";
import { openDatabase, type Database } from "../open-database.ts";
import { usageQuery } from "./usage-query.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

const DAY_MS = 24 * 3_600_000;
/** Noon, so that hours before and after are of the same day. */
const NOON = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const daysAgo = (days: number): Date => new Date(NOON.getTime() - days * DAY_MS);

let client: PrismaClient;

beforeAll(async () => {
  const bounds = { applicationName: "test", connectMsMax: 5_000, statementMsMax: 10_000 };
  client = openClient({ url: testDatabase.url, poolMax: 1, planning: "anew", ...bounds });
});

afterAll(async () => {
  await client?.$disconnect();
});

const MONTH: UsageQuestion = { from: daysAgo(20), to: daysAgo(-1), by: ["day", "tool"], limit: 100 };
const ask = (tenantId: string, question: Partial<UsageQuestion> = {}) =>
  pageOf(database, tenantId, { ...MONTH, ...question });

/** For one who stays until it is there. */
async function pageOf({ usage: store }: Database, tenantId: string, question: UsageQuestion) {
  const page = await store.sum(tenantId, question, new AbortController().signal);
  assert(page, "nobody left");
  return page;
}

/** An execution that was accepted so long ago and has ended. */
async function ended(
  tenantId: string,
  days: number,
  fields: Partial<NewExecution> = {},
  ending: Partial<Ending> = {},
) {
  const createdAt = daysAgo(days);
  const made = sampleExecution(tenantId, {
    executionId: newExecutionId(createdAt),
    createdAt,
    toolId: "tool_000000000000000a",
    ...fields,
  });
  const key = await started(database, made);
  await database.executions.finish(key, { ...SUCCESS, ...ending }, "1-2");
  return key;
}

const usage = (more: Partial<Ending["usage"]>) => ({ usage: { ...SUCCESS.usage, ...more } });

test("groups are days and tools in order, and add up what their executions used", async () => {
  const b = { toolId: "tool_000000000000000b", toolName: "other" };
  await ended("ten_sums", 3, {}, usage({ cpuMs: 1.25, networkRequests: 2, bytesIn: 500, bytesOut: 20 }));
  await ended("ten_sums", 2.9, { toolName: "renamed" }, usage({ cpuMs: 2, memoryPeakMib: 40 }));
  const error = { code: "tool.threw", message: "no" } as const;
  await ended("ten_sums", 3, b, { status: "failed", error });
  await ended("ten_sums", 1, b);
  await ended("ten_else", 1, b);
  await database.executions.insert(
    sampleExecution("ten_sums", { ...b, executionId: newExecutionId(daysAgo(1)), createdAt: daysAgo(1) }),
  );

  const { rows, total, more } = await ask("ten_sums");
  expect(more).toBe(false);
  expect(
    rows.map(({ day, toolName, executions, byStatus }) => ({ day, toolName, executions, byStatus })),
  ).toEqual([
    { day: dayOf(daysAgo(3)), toolName: "renamed", executions: 2, byStatus: { succeeded: 2 } },
    { day: dayOf(daysAgo(3)), toolName: "other", executions: 1, byStatus: { failed: 1 } },
    { day: dayOf(daysAgo(1)), toolName: "other", executions: 2, byStatus: { succeeded: 1, queued: 1 } },
  ]);
  expect(rows[0]).toMatchObject({
    toolId: "tool_000000000000000a",
    attempts: 2,
    cpuMs: 3.25,
    wallMs: 4,
    memoryPeakMib: 40,
    networkRequests: 2,
    bytesIn: 500,
    bytesOut: 20,
  });
  expect(total).toMatchObject({
    executions: 5,
    byStatus: { succeeded: 3, failed: 1, queued: 1 },
    cpuMs: 6.25,
  });

  const byDay = await ask("ten_sums", { by: ["day"] });
  expect(byDay.rows.map(({ executions, toolId, toolName }) => [executions, toolId, toolName])).toEqual([
    [3, null, null],
    [2, null, null],
  ]);
  const byTool = await ask("ten_sums", { by: ["tool"] });
  expect(byTool.rows.map(({ executions, day }) => [executions, day])).toEqual([
    [2, ""],
    [3, ""],
  ]);
  expect((await ask("ten_sums", { toolId: b.toolId })).total.executions).toBe(3);
  expect((await ask("ten_sums", { toolName: "renamed" })).total.executions).toBe(1);
});

test("the period has its first moment and not its last", async () => {
  await ended("ten_edge", 2);
  const at = daysAgo(2).getTime();
  const within = async (from: number, to: number) =>
    (await ask("ten_edge", { from: new Date(from), to: new Date(to) })).total.executions;
  expect(await within(at, at + 1)).toBe(1);
  expect(await within(at - DAY_MS, at)).toBe(0);
  expect(await within(at + 1, at + DAY_MS)).toBe(0);
});

test("nothing in the period is a sum of zeros", async () => {
  expect(await ask("ten_nothing")).toEqual({
    rows: [],
    more: false,
    total: {
      executions: 0,
      attempts: 0,
      byStatus: {},
      workerMs: 0,
      memoryPeakMib: 0,
      cpuMs: 0,
      wallMs: 0,
      networkRequests: 0,
      bytesIn: 0,
      bytesOut: 0,
    },
  });
});

test("a failed try counts with what it used, while its execution waits and when it has ended", async () => {
  const key = await started(
    database,
    sampleExecution("ten_tries", { retry: { attempts: 2, backoffMs: 1, on: ["tool.threw"] } }),
  );
  const error = { code: "tool.threw", message: "no" } as const;
  const failed: Ending = { ...SUCCESS, ...usage({ cpuMs: 7, memoryPeakMib: 30 }), status: "failed", error };
  expect(await database.executions.retryLater(key, failed, { delayMs: 0, triesMax: 2 })).not.toBeNull();
  const waiting = await ask("ten_tries");
  expect(waiting.total).toMatchObject({ executions: 1, attempts: 1, cpuMs: 7, byStatus: { queued: 1 } });
  const again = { ...key, attempt: 2 };
  expect(await database.executions.claim(again, "worker-2", 60_000)).not.toBeNull();
  await database.executions.finish(again, SUCCESS, "2-2");
  const { total } = await ask("ten_tries");
  expect(total).toMatchObject({ attempts: 2, cpuMs: 8.5, memoryPeakMib: 30, byStatus: { succeeded: 1 } });
  const [row] = await queryRows(
    testDatabase.url,
    `SELECT (SELECT sum(extract(epoch FROM finished_at - started_at)) * 1000 FROM
      (SELECT started_at, finished_at FROM executions WHERE tenant_id = 'ten_tries' UNION ALL
      SELECT started_at, finished_at FROM execution_attempts WHERE tenant_id = 'ten_tries') t)::float8 AS ms`,
  );
  expect(total.workerMs).toBeCloseTo(row?.["ms"] as number, 2);
});

test("a nested execution counts, but takes no slot of its own", async () => {
  const { tenantId, toolId } = await stored(database);
  const parent = await started(database, sampleExecution(tenantId));
  const { executionId, createdAt, deadlineAt } = sampleExecution(tenantId);
  const call = {
    depth: 2,
    toolName: "inner",
    toolVersion: 1,
    argumentsJson: "{}",
    context: {},
    idempotent: false,
    retention: null,
  };
  const nested = { tenantId, executionId, parent, toolId, createdAt, deadlineAt, ...call };
  expect(await database.executions.beginNested(nested, "worker-1", 60_000)).toBe("begun");
  await database.executions.finish({ tenantId, executionId, attempt: 1 }, SUCCESS, "1-2");
  const { total } = await ask(tenantId);
  expect(total).toMatchObject({ executions: 2, cpuMs: 1.5, workerMs: 0 });
});

test("pages go on behind a mark and repeat nothing; dry runs are one group without a tool", async () => {
  const inlineTool = {
    code: "",
    permissions: [],
    limits: {},
    allowedHosts: null,
    outputSchema: null,
    services: [],
  };
  await ended("ten_pages", 2, { toolId: null, inlineTool: inlineTool as never, toolName: "tried" });
  for (const n of [1, 2, 3]) await ended("ten_pages", 2, { toolId: `tool_000000000000000${n}` });
  const whole = await ask("ten_pages");
  expect(whole.rows.map(({ toolId, toolName }) => [toolId, toolName])).toEqual([
    [null, null],
    ...[1, 2, 3].map((n) => [`tool_000000000000000${n}`, "sample"]),
  ]);
  const first = await ask("ten_pages", { limit: 3 });
  expect([first.rows.length, first.more, first.total.executions]).toEqual([3, true, 4]);
  const after = { day: dayOf(daysAgo(2)), toolId: "tool_0000000000000002" };
  const second = await ask("ten_pages", { limit: 3, after });
  expect([second.rows, second.more]).toEqual([whole.rows.slice(3), false]);
  expect(second.total).toEqual(whole.total);
  expect((await ask("ten_pages", { limit: 3, after: { ...after, toolId: "" } })).rows).toHaveLength(3);
});

test("a question that takes too long is ended, and its answer says what to ask instead", async () => {
  const hasty = await openDatabase({ url: testDatabase.url, poolMax: 1, statementMsMax: 1_000 });
  const session = new Client({ connectionString: testDatabase.url });
  await session.connect();
  try {
    await session.query("BEGIN");
    await session.query("LOCK TABLE executions");
    const detail = expect.stringContaining("ask for fewer days");
    await expect(pageOf(hasty, "ten_a", MONTH)).rejects.toMatchObject({
      code: "usage.too_much",
      status: 422,
      detail,
    });
  } finally {
    await session.end();
    await hasty.close();
  }
});

test("a question whose caller leaves is ended in the database, and the next one is answered", async () => {
  const own = await openDatabase({ url: testDatabase.url, poolMax: 2, applicationName: "leaver" });
  const left = new AbortController();
  const session = new Client({ connectionString: testDatabase.url });
  await session.connect();
  try {
    await session.query("BEGIN");
    await session.query("LOCK TABLE executions");
    const page = own.usage.sum("ten_a", MONTH, left.signal);
    await until(async () => (await asking()) === 1, { what: "the question waits in the database" });
    left.abort();
    // The table is locked as before: only a cancellation can have ended it.
    expect(await page).toBeNull();
    // A connection is told that its question was cancelled before the server counts it as idle.
    await until(async () => (await asking()) === 0, { what: "the question has ended in the database" });
    await session.query("ROLLBACK");
    expect(await pageOf(own, "ten_nothing", MONTH)).toMatchObject({ rows: [] });
  } finally {
    await session.end();
    await own.close();
  }
});

/** How many questions of "leaver" the database works on. */
const asking = async (): Promise<number> => {
  const [row] = await queryRows(
    testDatabase.url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'leaver' AND state = 'active' AND query LIKE 'WITH x AS%'`,
  );
  return row?.["count"] as number;
};

test.runIf(isNightly)(
  "a question reads the partition of its week alone, by the tenant's index, and no tries of those without",
  async () => {
    await testDatabase.execute(`INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, idempotent,
      arguments, context, requested_by, trace_id, created_at, deadline_at)
    SELECT execution_id_floor(at) || lpad(to_hex(n), 20, '0'), 'ten_plan_' || n % 100, 'tool_1', 'a', 1, false, '{}', '{}',
      'key_1', '', at, at FROM (SELECT n, '${NOON.toISOString()}'::timestamptz - n * interval '1 minute' AS at
      FROM generate_series(1, 20000) AS n) AS made`);
    await testDatabase.execute("ANALYZE executions");
    const hours = (count: number) => new Date(NOON.getTime() + count * 3_600_000);
    const { text, values } = usageQuery("ten_plan_7", { ...MONTH, from: hours(-6), to: hours(6) });
    const explained = await client.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
      ...values,
    );
    const plan = explained.map((line) => line["QUERY PLAN"]).join("\n");
    expect(plan.match(/ on executions_[0-9a-z]+ e /g)).toHaveLength(1);
    expect(plan).toMatch(
      /Index Cond: \(\(tenant_id = 'ten_plan_7'::text\) AND \(id >= 'exe_\w+'::text\) AND \(id < /,
    );
    expect(plan).toMatch(/execution_attempts a \(never executed\)/);
  },
);
