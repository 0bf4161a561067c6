import { newExecutionId, type DueLogRound, type ExecutionKey, type Retention } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();
beforeEach(() => testDatabase.execute("DELETE FROM due_logs"));

const ROUND: DueLogRound = { after: null, countMax: 100, tenantMax: 100, leaseMs: 30_000, days: 30 };
const claimedNow = async () => (await database.logs.claimDue(ROUND)).claimed;

/** An execution whose log is due at once. */
async function ended(of = tenantId, retention: Retention | null = null): Promise<ExecutionKey> {
  const executionId = newExecutionId(new Date());
  const attempt = await started(database, sampleExecution(of, { executionId, retention }));
  await database.executions.finish(attempt, SUCCESS, "1-9");
  await testDatabase.execute(`UPDATE due_logs SET due_at = now() WHERE execution_id = '${executionId}'`);
  return { tenantId: of, executionId };
}

test("what is given back is due again before its lease would be over; what is another's stays claimed", async () => {
  const own = await ended();
  const other = await ended(otherId);
  expect(await claimedNow()).toHaveLength(2);
  expect(await claimedNow()).toEqual([]);
  await database.logs.giveBack([own, { ...other, tenantId }], 0);
  expect(await claimedNow()).toMatchObject([own]);
});

test("a log that may outlive its execution's result is told", async () => {
  const own = await ended(tenantId, { result: "none" });
  const other = await ended(tenantId, { arguments: "none" });
  const claimed = (await claimedNow()).map(({ executionId, withoutErrors }) => [executionId, withoutErrors]);
  expect(claimed).toHaveLength(2);
  expect(Object.fromEntries(claimed)).toEqual({ [own.executionId]: true, [other.executionId]: false });
});

test("nothing is given back for longer than it was claimed", async () => {
  const own = await ended();
  await claimedNow();
  await database.logs.giveBack([own], 3_600_000);
  await testDatabase.execute(`DO $$ BEGIN
    ASSERT NOT EXISTS (SELECT FROM due_logs WHERE due_at > now() + interval '1 min');
  END $$`);
});

test("what is no longer due by its claim is given back to nobody", async () => {
  const own = await ended();
  await claimedNow();
  await database.logs.keep([{ ...own, days: 1, log: null }]);
  await database.logs.giveBack([own], 0);
  expect(await claimedNow()).toEqual([]);
});

test("the log that has been due for longest tells how far the keeping is behind, claimed or not", async () => {
  expect(await database.logs.oldestDueMs()).toBe(0);
  const old = await ended();
  await ended(otherId);
  await testDatabase.execute(
    `UPDATE due_logs SET ended_at = now() - interval '1 h' WHERE execution_id = '${old.executionId}'`,
  );
  await claimedNow();
  const hourMs = 3_600_000;
  const oldestMs = await database.logs.oldestDueMs();
  expect(oldestMs).toBeGreaterThanOrEqual(hourMs);
  expect(oldestMs).toBeLessThan(2 * hourMs);
});
