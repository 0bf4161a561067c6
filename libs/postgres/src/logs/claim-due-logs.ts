import type { DueLog, DueLogRound, ExecutionKey } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { is } from "../executions/by-id.ts";
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
  coalesce(c.days, $5::int) AS days, EXISTS (
    SELECT FROM executions AS e WHERE e.id = c.execution_id AND ${is("e.tenant_id", "c.tenant_id")}
      AND e.retention->'result' IS NOT NULL) AS without_errors,
  ${WALK_STOPPED_AT} AS stopped_at
FROM (VALUES (1)) AS always LEFT JOIN claimed AS c ON true`;

type Row = { stopped_at: string | null } & (
  | { execution_id: string; tenant_id: string; aged_ms: number; days: number; without_errors: boolean }
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
            withoutErrors: row.without_errors,
          },
        ],
  );
  return { claimed, next: nextRound(claimed, countMax, rows[0]?.stopped_at) };
}

// $1 and $2 are the logs, $3 is for how long.
const GIVE_BACK = `/* logs.give_back */
WITH again AS (
  SELECT d.execution_id FROM due_logs AS d
    JOIN unnest($1::text[], $2::text[]) AS l(execution_id, tenant_id)
      ON d.execution_id = l.execution_id AND d.tenant_id = l.tenant_id
  WHERE d.due_at > now() + $3::float8 * interval '1 ms'
  ORDER BY d.execution_id FOR NO KEY UPDATE OF d
)
UPDATE due_logs AS d SET due_at = now() + $3::float8 * interval '1 ms'
FROM again WHERE d.execution_id = again.execution_id`;

export async function giveBackLogs(
  client: PrismaClient,
  logs: readonly ExecutionKey[],
  forMs: number,
): Promise<void> {
  const ids = logs.map(({ executionId }) => executionId);
  await client.$executeRawUnsafe(
    GIVE_BACK,
    ids,
    logs.map(({ tenantId }) => tenantId),
    forMs,
  );
}

const OLDEST_DUE = `/* logs.oldest_due */
SELECT coalesce(greatest(extract(epoch FROM now() - min(ended_at)), 0), 0)::float8 * 1000 AS ms FROM due_logs`;

export async function oldestDueMs(client: PrismaClient): Promise<number> {
  const [row] = await client.$queryRawUnsafe<{ ms: number }[]>(OLDEST_DUE);
  return row?.ms ?? 0;
}
