import { DELIVERIES_MAX, DELIVERY_HOURS_MAX, type Delivery, type DeliveryKey, Fault } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from "./delivery-row.ts";

/** Two that ask at once choose the same number, and one of them chooses again. */
const RACES_MAX = 10;

// In SQL, since the execution is held against its deletion while the next number is found and taken.
const REDELIVER = `/* deliveries.redeliver */
WITH ended AS (
  -- Whoever deletes the execution waits, or has done so: then nothing is made of what this statement still sees.
  SELECT id FROM executions WHERE id = $1 AND erased_at IS NULL FOR SHARE
), model AS (
  SELECT d.execution_id, d.tenant_id, d.url, d.sealed_secret,
    (SELECT max(n) FROM deliveries WHERE execution_id = $1) AS last
  FROM deliveries AS d JOIN ended ON ended.id = d.execution_id WHERE d.execution_id = $1 AND d.n = $2::int AND d.tenant_id = $3
), made AS (
  INSERT INTO deliveries AS d (execution_id, n, tenant_id, url, sealed_secret, due_at, retry_until)
  SELECT execution_id, last + 1, tenant_id, url, sealed_secret, now(), now() + interval '${DELIVERY_HOURS_MAX} hours'
  FROM model WHERE last < ${DELIVERIES_MAX}
  ON CONFLICT DO NOTHING
  RETURNING ${DELIVERY_COLUMNS}
)
SELECT made.*, model.last FROM model LEFT JOIN made ON true`;

type Row = ({ executionId: null } | DeliveryRow) & { last: number };

/** A new delivery like this one, due at once; null when there is none like it. */
export async function redeliver(
  client: PrismaClient,
  { executionId, n, tenantId }: DeliveryKey,
): Promise<Delivery | null> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const [row] = await client.$queryRawUnsafe<Row[]>(REDELIVER, executionId, n, tenantId);
    if (!row) return null;
    const { last, ...made } = row;
    if (made.executionId !== null) return toDelivery(made);
    if (last >= DELIVERIES_MAX) throw tooMany();
  }
  throw new Fault("service.unavailable", { internal: "redelivering lost every race" });
}

const tooMany = (): Fault =>
  new Fault("delivery.too_many", {
    detail: `The end of an execution is delivered ${DELIVERIES_MAX} times at most; GET /api/v1/executions/:id shows it.`,
  });
