import type { Delivery, DeliveryStore, ExecutionKey } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from "./delivery-row.ts";
import { recordDelivery } from "./record-delivery.ts";
import { redeliver } from "./redeliver.ts";

/** Deliveries in PostgreSQL. What it throws is a Fault. `byId` is for statements that name their rows by id. */
export const openDeliveryStore = (byId: PrismaClient): DeliveryStore => ({
  claim: (round) => faulting(() => claimDeliveries(byId, round)),
  record: (claimed, outcome) => faulting(() => recordDelivery(byId, claimed, outcome)),
  list: (key) => faulting(() => listDeliveries(byId, key)),
  redeliver: (key) => faulting(() => redeliver(byId, key)),
});

const LIST = `/* deliveries.list */
SELECT ${DELIVERY_COLUMNS} FROM deliveries AS d WHERE d.execution_id = $1 AND d.tenant_id = $2 ORDER BY d.n`;

async function listDeliveries(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<Delivery[]> {
  const rows = await client.$queryRawUnsafe<DeliveryRow[]>(LIST, executionId, tenantId);
  return rows.map(toDelivery);
}
