import type { DueLog, DueLogRound } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";
import { nextRound, WALK_STOPPED_AT, walkTenants } from "../walk-tenants.ts";

// $1 begins, $2 and $3 bound a tenant and all, $4 is the lease, $5 the days for whom nobody says.
const CLAIM = `/* logs.claim_due */
WITH RECURSIVE ${walkTenants("due_logs")}, due AS (
  SELECT d.execution_id FROM walk AS w CROSS JOIN LATERAL (
    SELECT execution_id FROM due_logs WHERE tenant_id = w.tenant_id AND due_at <= now()
    ORDER BY due_at LIMIT $2::int FOR NO KEY UPDATE SKIP LOCKED) AS d
  LIMIT $3::int
), claimed AS (
  UPDATE due_logs AS d SET due_at = now() + $4::float8 * interval '1 ms'
  FROM due WHERE d.execution_id = due.execution_id
  RETURNING d.execution_id, d.tenant_id, d.days, d.ended_at
)
SELECT c.execution_id, c.tenant_id, extract(epoch FROM now() - c.ended_at)::float8 * 1000 AS aged_ms,
  coalesce(c.days, $5::int) AS days, ${WALK_STOPPED_AT} AS stopped_at
FROM (VALUES (1)) AS always LEFT JOIN claimed AS c ON true`;

type Row = { stopped_at: string | null } & (
  | { execution_id: string; tenant_id: string; aged_ms: number; days: number }
  | { execution_id: null }
);

export async function claimDueLogs(
  client: PrismaClient,
  { after, countMax, tenantMax, leaseMs, days }: DueLogRound,
): Promise<{ claimed: DueLog[]; next: string | null }> {
  const rows = await client.$queryRawUnsafe<Row[]>(CLAIM, after ?? "", tenantMax, countMax, leaseMs, days);
  const claimed = rows.flatMap((row) =>
    row.execution_id === null
      ? []
      : [
          {
            executionId: row.execution_id,
            tenantId: row.tenant_id,
            agedMs: row.aged_ms,
            days: row.days,
          },
        ],
  );
  return { claimed, next: nextRound(claimed, countMax, rows[0]?.stopped_at) };
}
