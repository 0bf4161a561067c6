import type { DueLog, DueLogRound, ExecutionKey } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { is } from "../executions/by-id.ts";
import { endOfRound, WALK_STOPPED_AT, walkTenants, type Walked } from "../walk-tenants.ts";

// In SQL, since what other workers are about to claim is passed over. $1 begins, $2 and $3 bound a tenant and all, $4 is
// the lease, $5 the days for whom nobody says.
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
SELECT c.execution_id AS "executionId", c.tenant_id AS "tenantId",
  extract(epoch FROM now() - c.ended_at)::float8 * 1000 AS "agedMs", coalesce(c.days, $5::int) AS days, EXISTS (
    SELECT FROM executions AS e WHERE e.id = c.execution_id AND ${is("e.tenant_id", "c.tenant_id")}
      AND e.retention->'result' IS NOT NULL) AS "withoutErrors",
  ${WALK_STOPPED_AT} AS "stoppedAt"
FROM (VALUES (1)) AS always LEFT JOIN claimed AS c ON true`;

export async function claimDueLogs(
  client: PrismaClient,
  { after, countMax, tenantMax, leaseMs, days }: DueLogRound,
): Promise<{ claimed: DueLog[]; next: string | null }> {
  const rows = await client.$queryRawUnsafe<Walked<DueLog>[]>(
    CLAIM,
    after ?? "",
    tenantMax,
    countMax,
    leaseMs,
    days,
  );
  return endOfRound(rows, countMax);
}

// In SQL, since leases are by the database's clock. $1 and $2 are the logs, $3 is for how long.
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

// In SQL, by the database's clock.
const OLDEST_DUE = `/* logs.oldest_due */
SELECT coalesce(greatest(extract(epoch FROM now() - min(ended_at)), 0), 0)::float8 * 1000 AS ms FROM due_logs`;

export async function oldestDueMs(client: PrismaClient): Promise<number> {
  const [row] = await client.$queryRawUnsafe<{ ms: number }[]>(OLDEST_DUE);
  return row?.ms ?? 0;
}
