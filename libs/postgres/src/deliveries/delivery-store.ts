import {
  DELIVERY_TRIES_KEPT,
  type ClaimedDelivery,
  type Delivery,
  type DeliveryOutcome,
  type DeliveryStore,
  type ExecutionKey,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { DELIVERY_FIELDS, toDelivery, withTry } from "./delivery-row.ts";
import { redeliver } from "./redeliver.ts";

/** Deliveries in PostgreSQL. What it throws is a Fault. `byId` is for statements that name their rows by id. */
export const openDeliveryStore = (byId: PrismaClient): DeliveryStore => ({
  claim: (round) => faulting(() => claimDeliveries(byId, round)),
  record: (claimed, outcome) => faulting(() => recordDelivery(byId, claimed, outcome)),
  list: (key) => faulting(() => listDeliveries(byId, key)),
  redeliver: (key) => faulting(() => redeliver(byId, key)),
});

async function listDeliveries(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<Delivery[]> {
  const where = { executionId, tenantId };
  const rows = await client.delivery.findMany({ where, orderBy: { n: "asc" }, select: DELIVERY_FIELDS });
  return rows.map(toDelivery);
}

const TRY = "jsonb_build_object('at', d.claimed_at) || $5::jsonb";

// In SQL, since the last moment for another try is judged by the database's clock, in the step that records this one.
const RECORD = `/* deliveries.record */
WITH outcome AS (
  SELECT d.execution_id, d.n, CASE WHEN $6::text <> 'retry' THEN $6::text
    WHEN now() + $7::float8 * interval '1 ms' > d.retry_until THEN 'failed' ELSE 'pending' END AS status
  FROM deliveries AS d
  WHERE d.execution_id = $1 AND d.n = $2::int AND d.tenant_id = $3 AND d.try_number = $4::int AND d.status = 'pending'
    AND d.claimed_at IS NOT NULL
  FOR NO KEY UPDATE
)
UPDATE deliveries AS d SET status = o.status, claimed_at = NULL,
  tries = ${withTry(`(${TRY})`, DELIVERY_TRIES_KEPT)},
  due_at = CASE WHEN o.status = 'pending' THEN now() + $7::float8 * interval '1 ms' END
FROM outcome AS o WHERE d.execution_id = o.execution_id AND d.n = o.n`;

/** False for a holder whose try was claimed by another one since. */
async function recordDelivery(
  client: PrismaClient,
  { executionId, n, tenantId, tryNumber }: ClaimedDelivery,
  { status, error, location, ms, verdict }: DeliveryOutcome,
): Promise<boolean> {
  const changed = await client.$executeRawUnsafe(
    RECORD,
    executionId,
    n,
    tenantId,
    tryNumber,
    JSON.stringify({ status, error, location, ms }),
    verdict.next,
    verdict.next === "retry" ? verdict.delayMs : 0,
  );
  return changed === 1;
}
