import { newExecutionId } from "@bulkhead/core";
import { expect, test } from "vitest";
import { sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

/** Two processes' worth of stores on one database. */

const DAY_MS = 24 * 3_600_000;

test("whole weeks past their retention go, with their tries; what has not ended keeps its week", async () => {
  const aged = (days: number) => {
    const createdAt = new Date(Date.now() - days * DAY_MS);
    return sampleExecution("ten_a", { executionId: newExecutionId(createdAt), createdAt });
  };
  for (const weeks of [5, 8])
    await testDatabase.execute(partitionOf(new Date(Date.now() - weeks * 7 * DAY_MS)));
  const old = await started(one, aged(35));
  await one.executions.finish(old, SUCCESS, "1-2");
  const open = await started(one, aged(56));
  const young = await started(one, aged(1));
  await one.executions.tryAgain(old, 1_000);
  await testDatabase.execute(`INSERT INTO execution_attempts (execution_id, attempt, tenant_id, outcome, finished_at)
    VALUES ('${old.executionId}', 7, 'ten_a', 'failed', now()), ('${young.executionId}', 7, 'ten_a', 'failed', now())`);

  const [first, second] = await Promise.all([
    one.executions.dropOldExecutions(20),
    other.executions.dropOldExecutions(20),
  ]);
  expect(first + second).toBe(1);
  expect(await one.executions.find(old)).toBeNull();
  expect(await one.executions.listAttempts(old)).toEqual([]);
  expect(await one.executions.find(open)).not.toBeNull();
  expect(await one.executions.find(young)).not.toBeNull();
  expect(await one.executions.listAttempts(young)).toHaveLength(1);
});

/** The statement that makes the partition of the week of a moment. */
const partitionOf = (at: Date): string => `DO $$
DECLARE
  starts timestamptz := date_trunc('week', '${at.toISOString()}'::timestamptz, 'UTC');
BEGIN
  EXECUTE format('CREATE TABLE %I PARTITION OF executions FOR VALUES FROM (%L) TO (%L)',
    'executions_' || to_char(starts AT TIME ZONE 'UTC', 'YYYYMMDD'),
    execution_id_floor(starts), execution_id_floor(starts + interval '168 hours'));
END $$`;
