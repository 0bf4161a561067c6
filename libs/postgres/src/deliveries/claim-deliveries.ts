import {
  DELIVERY_HOURS_MAX,
  DELIVERY_TRIES_KEPT,
  type ClaimedDelivery,
  type DeliveryRound,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { endOfRound, WALK_STOPPED_AT, walkTenants, type Walked } from "../walk-tenants.ts";
import { withTry } from "./delivery-row.ts";

/** Stands for a try whose worker was lost before it told how it ended. */
const LOST_TRY = `jsonb_build_object('at', d.claimed_at, 'status', NULL, 'ms', NULL,
      'error', 'the worker was lost before it had an answer')`;

// In SQL, since what other workers are about to claim is passed over. $1 begins, $2 and $3 are what is busy, $4 and $5
// bound a tenant and all, $6 is the lease.
const CLAIM = `/* deliveries.claim */
WITH RECURSIVE ${walkTenants("deliveries", "status = 'pending'")}, due AS (
  SELECT d.execution_id, d.n FROM walk AS w
    LEFT JOIN unnest($2::text[], $3::int[]) AS busy(tenant_id, count) ON busy.tenant_id = w.tenant_id
    CROSS JOIN LATERAL (
      SELECT execution_id, n FROM deliveries
      WHERE status = 'pending' AND tenant_id = w.tenant_id AND due_at <= now()
      ORDER BY due_at LIMIT greatest(0, $4::int - coalesce(busy.count, 0))
      FOR NO KEY UPDATE SKIP LOCKED) AS d
  -- What a tenant that is being deleted had sealed can't be opened, and nobody signs for it.
  WHERE NOT EXISTS (SELECT FROM tenants AS n WHERE n.id = w.tenant_id AND n.deleting_at IS NOT NULL)
  LIMIT $5::int
), claimed AS (
  UPDATE deliveries AS d SET try_number = d.try_number + 1, claimed_at = now(),
    due_at = now() + $6::float8 * interval '1 ms',
    tries = CASE WHEN d.claimed_at IS NULL THEN d.tries ELSE ${withTry(LOST_TRY, DELIVERY_TRIES_KEPT)} END
  FROM due WHERE d.execution_id = due.execution_id AND d.n = due.n
  RETURNING d.execution_id, d.n, d.tenant_id, d.url, d.sealed_secret, d.try_number
)
SELECT c.execution_id AS "executionId", c.n, c.tenant_id AS "tenantId", c.url, c.sealed_secret AS "sealedSecret",
  c.try_number AS "tryNumber", coalesce(t.webhook_generation, 1) AS generation, (
    SELECT count(*)::int FROM unnest(t.webhook_replaced_at) AS at
    WHERE at > now() - interval '${DELIVERY_HOURS_MAX} hours') AS retiring,
  -- Not a join: each is one look-up by the key, whatever the planner thinks of how many there are.
  (SELECT e.traceparent FROM executions AS e WHERE e.id = c.execution_id) AS traceparent,
  ${WALK_STOPPED_AT} AS "stoppedAt"
FROM (VALUES (1)) AS always LEFT JOIN claimed AS c ON true LEFT JOIN tenants AS t ON t.id = c.tenant_id`;

type ClaimedRow = Omit<ClaimedDelivery, "generations"> & { generation: number; retiring: number };

export async function claimDeliveries(
  client: PrismaClient,
  { after, countMax, tenantMax, busy, leaseMs }: DeliveryRound,
): Promise<{ claimed: ClaimedDelivery[]; next: string | null }> {
  const rows = await client.$queryRawUnsafe<Walked<ClaimedRow>[]>(
    CLAIM,
    after ?? "",
    [...busy.keys()],
    [...busy.values()],
    tenantMax,
    countMax,
    leaseMs,
  );
  const { claimed, next } = endOfRound(rows, countMax);
  return { claimed: claimed.map(toClaimed), next };
}

function toClaimed({ generation, retiring, ...row }: ClaimedRow): ClaimedDelivery {
  return { ...row, generations: Array.from({ length: retiring + 1 }, (_, back) => generation - back) };
}
