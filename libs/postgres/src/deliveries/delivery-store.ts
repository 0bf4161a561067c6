import type { Delivery, DeliveryStore, ExecutionKey } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { DELIVERY_FIELDS, toDelivery } from "./delivery-row.ts";
import { recordDelivery } from "./record-delivery.ts";
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
