import type { Admission, AttemptKey } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { ADMISSION_COLUMNS, ADMISSION_JOINS, toAdmission, type AdmissionRow } from "./admission-row.ts";
import { RECORD_ATTEMPTS } from "./past-attempts.ts";

const HAND_BACK = `/* executions.hand_back */
WITH tried AS (
  SELECT id, tenant_id, attempt, worker_id, started_at, 'handed_back' AS outcome, NULL::json AS error,
    NULL::json AS usage, 'worker' AS ended_by
  FROM executions
  WHERE id = $1 AND tenant_id = $2 AND attempt = $3::int AND status = 'running' AND (NOT effects OR idempotent)
  FOR NO KEY UPDATE
), e AS (
  UPDATE executions AS x SET status = 'queued', lease_until = NULL, started_at = NULL, queued_at = now(), effects = false
  FROM tried WHERE x.id = tried.id
  RETURNING x.*
), ${RECORD_ATTEMPTS}
SELECT ${ADMISSION_COLUMNS} FROM e ${ADMISSION_JOINS}`;

/** Running back to queued for the holder of the attempt, where that can't do an effect twice. */
export async function handBack(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
): Promise<Admission | "kept" | "gone"> {
  const [row] = await client.$queryRawUnsafe<AdmissionRow[]>(HAND_BACK, executionId, tenantId, attempt);
  if (row) return toAdmission(row);
  // A second statement, since one alone would see the row as it was before whoever it had waited for.
  const held = await client.execution.count({
    where: { id: executionId, tenantId, status: "running", attempt },
  });
  return held === 1 ? "kept" : "gone";
}
