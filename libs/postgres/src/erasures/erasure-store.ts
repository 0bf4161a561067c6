import type { DueErasure, ErasureRound, ErasureStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { endOfRound, WALK_STOPPED_AT, walkTenants, type Walked } from "../walk-tenants.ts";
import { deleteExecution, eraseParts } from "./erase-parts.ts";

/**
 * The erasing of what executions hold, in PostgreSQL. What it throws is a Fault. `byId` is for statements that name their
 * rows by id.
 */
export const openErasureStore = (byId: PrismaClient): ErasureStore => ({
  claimDue: (round) => faulting(() => claimErasures(byId, round)),
  erase: (parts) => faulting(() => eraseParts(byId, parts)),
  deleteExecution: (key) => faulting(() => deleteExecution(byId, key)),
});

// In SQL, since what other workers are about to claim is passed over. $1 begins, $2 and $3 bound a tenant and all, $4 is
// the lease. The stream holds the end with what it answered, and the log that is still to be kept; what is delivered is
// read from the row.
const CLAIM = `/* erasures.claim_due */
WITH RECURSIVE ${walkTenants("due_erasures")}, due AS (
  SELECT d.execution_id, d.part FROM walk AS w CROSS JOIN LATERAL (
    SELECT execution_id, part FROM due_erasures WHERE tenant_id = w.tenant_id AND due_at <= now()
    ORDER BY due_at LIMIT $2::int FOR NO KEY UPDATE SKIP LOCKED) AS d
  LIMIT $3::int
), claimed AS (
  UPDATE due_erasures AS d SET due_at = now() + $4::float8 * interval '1 ms'
  FROM due WHERE d.execution_id = due.execution_id AND d.part = due.part
  RETURNING d.execution_id, d.tenant_id, d.part
)
SELECT c.execution_id AS "executionId", c.tenant_id AS "tenantId", c.part,
  EXISTS (SELECT FROM due_logs AS l WHERE l.execution_id = c.execution_id)
    OR c.part <> 'events' AND EXISTS (
      SELECT FROM deliveries AS p WHERE p.execution_id = c.execution_id AND p.status = 'pending') AS "isNeeded",
  ${WALK_STOPPED_AT} AS "stoppedAt"
FROM (VALUES (1)) AS always LEFT JOIN claimed AS c ON true`;

async function claimErasures(
  client: PrismaClient,
  { after, countMax, tenantMax, leaseMs }: ErasureRound,
): Promise<{ claimed: DueErasure[]; next: string | null }> {
  const values = [after ?? "", tenantMax, countMax, leaseMs];
  const rows = await client.$queryRawUnsafe<Walked<DueErasure>[]>(CLAIM, ...values);
  return endOfRound(rows, countMax);
}
