import type { DueErasure, ErasablePart, ErasureRound } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { nextRound, WALK_STOPPED_AT, walkTenants } from "../walk-tenants.ts";

// $1 begins, $2 and $3 bound a tenant and all, $4 is the lease. The stream holds the end with what it answered, and the
// log that is still to be kept; what is delivered is read from the row.
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
SELECT c.execution_id, c.tenant_id, c.part,
  EXISTS (SELECT FROM due_logs AS l WHERE l.execution_id = c.execution_id)
    OR c.part <> 'events' AND EXISTS (
      SELECT FROM deliveries AS p WHERE p.execution_id = c.execution_id AND p.status = 'pending') AS is_needed,
  ${WALK_STOPPED_AT} AS stopped_at
FROM (VALUES (1)) AS always LEFT JOIN claimed AS c ON true`;

type Row = { stopped_at: string | null } & (
  | { execution_id: string; tenant_id: string; part: ErasablePart; is_needed: boolean }
  | { execution_id: null }
);

export async function claimErasures(
  client: PrismaClient,
  { after, countMax, tenantMax, leaseMs }: ErasureRound,
): Promise<{ claimed: DueErasure[]; next: string | null }> {
  const rows = await client.$queryRawUnsafe<Row[]>(CLAIM, after ?? "", tenantMax, countMax, leaseMs);
  const claimed = rows.flatMap((row) =>
    row.execution_id === null
      ? []
      : [
          {
            executionId: row.execution_id,
            tenantId: row.tenant_id,
            part: row.part,
            isNeeded: row.is_needed,
          },
        ],
  );
  return { claimed, next: nextRound(claimed, countMax, rows[0]?.stopped_at) };
}
