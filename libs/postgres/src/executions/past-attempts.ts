import { ENDING_LAYERS, type ExecutionKey, type PastAttempt } from "@bulkhead/core";
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

/** Oldest first. */
export async function listAttempts(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<PastAttempt[]> {
  const rows = await client.executionAttempt.findMany({
    where: { executionId, tenantId },
    orderBy: { attempt: "asc" },
    omit: { executionId: true, tenantId: true },
  });
  return rows.map((row) => ({
    ...row,
    // The table's check knows no other.
    outcome: row.outcome as PastAttempt["outcome"],
    error: readError(row.error),
    usage: readUsage(row.usage),
    endedBy: ENDING_LAYERS.find((layer) => layer === row.endedBy) ?? null,
  }));
}
