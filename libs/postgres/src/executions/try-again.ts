import { EXECUTION_ATTEMPTS_MAX, type AttemptKey, type ExecutionError } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { RECORD_ATTEMPTS } from "./past-attempts.ts";

const TRY_AGAIN = `/* executions.try_again */
WITH tried AS (
  SELECT id, tenant_id, attempt, worker_id, started_at, 'lost' AS outcome, $5::json AS error, NULL::json AS usage,
    NULL::text AS ended_by
  FROM executions
  WHERE id = $1 AND tenant_id = $2 AND attempt = $3::int AND status = 'running'
    AND attempt < ${EXECUTION_ATTEMPTS_MAX} AND (NOT effects OR idempotent)
  FOR NO KEY UPDATE
), again AS (
  UPDATE executions AS x SET attempt = x.attempt + 1, effects = false, started_at = now(),
    lease_until = now() + $4::float8 * interval '1 ms'
  FROM tried WHERE x.id = tried.id
  RETURNING x.id
), ${RECORD_ATTEMPTS}
SELECT id FROM again`;

const PROCESS_DIED: ExecutionError = {
  code: "sandbox.crashed",
  message: "Its sandbox process died, which an earlier run may have left broken: it is tried again, alone.",
};

/** The next attempt, for the holder of this one, where that can't do an effect twice. */
export async function tryAgain(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
  leaseMs: number,
): Promise<boolean> {
  const error = JSON.stringify(PROCESS_DIED);
  const rows = await client.$queryRawUnsafe<{ id: string }[]>(
    TRY_AGAIN,
    executionId,
    tenantId,
    attempt,
    leaseMs,
    error,
  );
  return rows.length === 1;
}
