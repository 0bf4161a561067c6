import {
  newExecutionId,
  type DryRunSeen,
  type ExecutionKey,
  type NewExecution,
  type UsageQuestion,
} from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { Client } from "pg";
import { expect, test } from "vitest";
import { CALLBACK, ROUND as DELIVERIES } from "../fixtures/deliveries.ts";
import { endedWithMark, FAILED, MARK, rows, running, tablesWith } from "../fixtures/marked-executions.ts";
import { sampleExecution, sampleTool, SUCCESS } from "../fixtures/samples.ts";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

/** One with everything that can belong to one. */
async function whole(): Promise<ExecutionKey & { toolId: string }> {
  const { id: toolId } = await database.tools.create(sampleTool(tenantId));
  const executionId = newExecutionId(new Date());
  const inlineTool = { code: MARK, services: [] } as unknown as NewExecution["inlineTool"];
  const run = { tenantId, executionId, toolId, version: 1, arguments: { mark: MARK }, generated: false };
  expect(await database.dryRuns.insert(run, 9)).toBe(true);
  const attempt = await running({
    executionId,
    toolId: null,
    inlineTool,
    callback: { ...CALLBACK, url: `https://example.com/${MARK}` },
    retention: { result: 3 },
  });
  await database.executions.retryLater(attempt, FAILED, { delayMs: 0, triesMax: 3 });
  const second = { ...attempt, attempt: 2 };
  await database.executions.claim(second, "worker-1", 60_000);
  await database.dryRuns.record(executionId, SEEN);
  await database.executions.finish(second, { ...FAILED, result: { mark: MARK } }, "2-9");
  await keepLog({ tenantId, executionId });
  return { tenantId, executionId, toolId };
}
const SEEN: DryRunSeen = {
  status: "failed",
  result: { mark: MARK },
  truncated: false,
  error: null,
  effects: [],
};
const LOG = {
  pieces: [{ firstId: "1-2", lastId: "1-3", packed: Buffer.from("packed") }],
  cut: null,
  words: [MARK],
};
const keepLog = (key: ExecutionKey) => database.logs.keep([{ ...key, days: 9, log: LOG }]);
const piecesOf = ({ executionId }: ExecutionKey) =>
  rows("SELECT FROM log_pieces WHERE execution_id = $1", executionId);

const HOUR_MS = 3_600_000;
const usage = () => {
  const question: UsageQuestion = {
    from: new Date(Date.now() - HOUR_MS),
    to: new Date(Date.now() + HOUR_MS),
    by: ["tool"],
    limit: 50,
  };
  return database.usage.sum(tenantId, question, new AbortController().signal);
};

test("deleting leaves nothing of an execution but what usage is made of", async () => {
  const before = await usage();
  const key = await whole();
  const used = await usage();
  expect(used?.total).toMatchObject({ executions: (before?.total.executions ?? 0) + 1 });
  expect(await tablesWith(MARK)).toEqual([
    "deliveries",
    "execution_attempts",
    "execution_logs",
    "executions",
    "version_dry_runs",
  ]);
  expect(await database.erasures.deleteExecution({ ...key, tenantId: otherId })).toBeNull();
  expect(await database.erasures.deleteExecution(key)).toEqual({ toolId: null, toolName: "sample" });
  expect(await tablesWith(MARK)).toEqual([]);
  expect(await piecesOf(key)).toEqual([]);
  expect(await tablesWith(key.executionId)).toEqual(["due_erasures", "execution_attempts", "executions"]);
  expect(await usage()).toEqual(used);

  expect(await database.executions.find(key)).toBeNull();
  expect(await database.executions.findReplayable(key)).toBeNull();
  const { executions } = await database.executions.list(tenantId, { limit: 200 });
  expect(executions.map(({ executionId }) => executionId)).not.toContain(key.executionId);
  expect(await database.erasures.deleteExecution(key)).toBeNull();
});

test("only what has ended is deleted", async () => {
  const key = await running();
  expect(await database.erasures.deleteExecution(key)).toBeNull();
  expect(await database.executions.find(key)).toMatchObject({ arguments: { mark: MARK }, erased: [] });
  await database.executions.finish(key, SUCCESS, "1-3");
  expect(await database.erasures.deleteExecution(key)).not.toBeNull();
});

test("nobody who comes late brings anything back", async () => {
  const key = await whole();
  await testDatabase.execute("DELETE FROM execution_logs");
  await testDatabase.execute(
    `INSERT INTO due_logs (execution_id, tenant_id) VALUES ('${key.executionId}', '${tenantId}')`,
  );
  const delivery = (await database.deliveries.claim(DELIVERIES)).claimed.find(
    ({ executionId }) => executionId === key.executionId,
  );
  await database.erasures.deleteExecution(key);
  await keepLog(key);
  await database.dryRuns.record(key.executionId, SEEN);
  const answer = { status: 200, error: null, location: null, ms: 1, verdict: { next: "delivered" } };
  expect(delivery && (await database.deliveries.record(delivery, answer as never))).toBe(false);
  expect(await database.deliveries.redeliver({ ...key, n: 1 })).toBeNull();
  expect(await tablesWith(MARK)).toEqual([]);
  expect(await piecesOf(key)).toEqual([]);
  expect(await database.dryRuns.list(tenantId, key.toolId, 1)).toEqual([]);
});

test.each<[string, string]>([
  [
    "a log that is just being kept",
    `WITH gone AS (DELETE FROM due_logs WHERE execution_id = $1 RETURNING execution_id, tenant_id)
    INSERT INTO execution_logs (execution_id, tenant_id, words, kept_until)
    SELECT execution_id, tenant_id, '${MARK}'::tsvector, now() + interval '1 day' FROM gone`,
  ],
  [
    "a delivery that is just being made",
    `WITH ended AS (SELECT id, tenant_id FROM executions WHERE id = $1 AND erased_at IS NULL FOR SHARE)
    INSERT INTO deliveries (execution_id, n, tenant_id, url, due_at, retry_until)
    SELECT id, 7, tenant_id, '${MARK}', now(), now() FROM ended`,
  ],
])("%s is waited for, and goes too", async (_, statement) => {
  const key = await endedWithMark();
  const late = new Client({ connectionString: testDatabase.url });
  await late.connect();
  try {
    await late.query("BEGIN");
    expect((await late.query(statement, [key.executionId])).rowCount).toBe(1);
    const deleting = database.erasures.deleteExecution(key);
    await until(async () => (await rows(WAITS)).length > 0, { what: "the deletion waits" });
    await late.query("COMMIT");
    expect(await deleting).not.toBeNull();
  } finally {
    await late.end();
  }
  expect(await tablesWith(MARK)).toEqual([]);
});
const WAITS = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

test("a key that stands for it tells so, and is not taken anew", async () => {
  const once = { key: "k", bodyHash: "b" };
  const execution = sampleExecution(tenantId, { context: {} });
  await database.executions.insertOnce([{ execution, once }]);
  await database.executions.endFromOutside(execution, { status: "cancelled", error: null });
  await database.erasures.deleteExecution(execution);
  const known = { executionId: execution.executionId, sameBody: true, isDeleted: true };
  expect(await database.executions.findByKey(tenantId, once)).toEqual(known);
  expect(await database.executions.findByKeys(tenantId, [once])).toEqual(new Map([["k", known]]));
  const again = { execution: sampleExecution(tenantId), once };
  expect(await database.executions.insertOnce([again])).toEqual([{ outcome: "known", ...known }]);
});
