import { ENDING_LAYERS, type ExecutionKey, type Json, type PastAttempt } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { readError, readUsage } from "../stored-json.ts";

/**
 * A CTE that puts on record the tries that a CTE `tried` (id, tenant_id, attempt, worker_id, started_at, outcome, error,
 * usage, ended_by) has just found over while their executions go on.
 */
export const RECORD_ATTEMPTS = `
recorded AS (
  INSERT INTO execution_attempts (execution_id, attempt, tenant_id, outcome, error, usage, ended_by, worker_id,
    started_at, finished_at)
  SELECT id, attempt, tenant_id, outcome, error, usage, ended_by, worker_id, started_at, now() FROM tried
  ON CONFLICT DO NOTHING
)`;

interface AttemptRow {
  attempt: number;
  outcome: PastAttempt["outcome"];
  error: Json;
  usage: Json;
  ended_by: string | null;
  worker_id: string | null;
  started_at: Date | null;
  finished_at: Date;
}

const LIST = `/* executions.list_attempts */
SELECT attempt, outcome, error, usage, ended_by, worker_id, started_at, finished_at FROM execution_attempts
WHERE execution_id = $1 AND tenant_id = $2 ORDER BY attempt`;

/** Oldest first. */
export async function listAttempts(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<PastAttempt[]> {
  const rows = await client.$queryRawUnsafe<AttemptRow[]>(LIST, executionId, tenantId);
  return rows.map((row) => ({
    attempt: row.attempt,
    outcome: row.outcome,
    error: readError(row.error),
    usage: readUsage(row.usage),
    endedBy: ENDING_LAYERS.find((layer) => layer === row.ended_by) ?? null,
    workerId: row.worker_id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }));
}
