import type { Admission, AttemptKey, Ending } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { ADMISSION_COLUMNS, ADMISSION_JOINS, toAdmission, type AdmissionRow } from "./admission-row.ts";
import { is } from "./by-id.ts";
import { RECORD_ATTEMPTS } from "./past-attempts.ts";

export const RETRY_LATER = `/* executions.retry_later */
WITH tried AS (
  SELECT id, tenant_id, attempt, worker_id, started_at, 'failed' AS outcome, $5::json AS error, $6::json AS usage,
    $7::text AS ended_by
  FROM executions
  WHERE id = $1 AND ${is("tenant_id", "$2")} AND attempt = $3::int AND ${is("status", "'running'")} AND (NOT effects OR idempotent)
    AND deadline_at > now() + $4::float8 * interval '1 ms'
    -- Tries that were lost or handed back are nobody's failure and cost none.
    AND (SELECT count(*) FROM execution_attempts AS p WHERE p.execution_id = $1 AND p.outcome = 'failed') + 1 < $8::int
  FOR NO KEY UPDATE
), e AS (
  UPDATE executions AS x SET status = 'queued', lease_until = NULL, started_at = NULL, effects = false,
    -- The sweeps look at what has been due for a while.
    queued_at = now() + $4::float8 * interval '1 ms', not_before = now() + $4::float8 * interval '1 ms'
  FROM tried WHERE x.id = tried.id
  RETURNING x.*
), ${RECORD_ATTEMPTS}
SELECT ${ADMISSION_COLUMNS} FROM e ${ADMISSION_JOINS}`;

/** The admission of the next try; null where there is none to be. */
export async function retryLater(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
  { error, usage, endedBy }: Ending,
  { delayMs, triesMax }: { delayMs: number; triesMax: number },
): Promise<Admission | null> {
  const [row] = await client.$queryRawUnsafe<AdmissionRow[]>(
    RETRY_LATER,
    executionId,
    tenantId,
    attempt,
    delayMs,
    error && JSON.stringify(error),
    JSON.stringify(usage),
    endedBy,
    triesMax,
  );
  return row ? toAdmission(row) : null;
}
