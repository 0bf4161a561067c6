import {
  type AuditLog,
  type Delivery,
  type DeliveryKey,
  type DeliveryStore,
  type ExecutionKey,
  type ExecutionStore,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { noSuchExecution, requireSeen } from "../follow/see-execution.ts";

export interface DeliveryDeps {
  executions: Pick<ExecutionStore, "find">;
  deliveries: Pick<DeliveryStore, "list" | "redeliver">;
}

/** Oldest first; none for an execution without a callback or without an end. Throws `execution.not_found`. */
export async function listDeliveries(
  deps: DeliveryDeps,
  principal: TenantPrincipal,
  key: ExecutionKey,
): Promise<Delivery[]> {
  await requireSeen(deps, principal, key);
  const deliveries = await deps.deliveries.list(key);
  if (deliveries.length === 0 && !(await deps.executions.find(key))) throw noSuchExecution();
  return deliveries;
}

/** The same event again, as a delivery of its own. Throws `execution.not_found`, `delivery.not_found`, `delivery.too_many`. */
export async function redeliver(
  deps: DeliveryDeps & { audit: AuditLog },
  by: TenantPrincipal,
  key: DeliveryKey,
): Promise<Delivery> {
  await requireSeen(deps, by, key);
  const made = await deps.deliveries.redeliver(key);
  if (made) {
    const details = { delivery: key.n, madeDelivery: made.n };
    const deed = { action: "delivery.redelivered", id: key.executionId, details } as const;
    await deps.audit.record(by, key.tenantId, deed);
    return made;
  }
  if (!(await deps.executions.find(key))) throw noSuchExecution();
  throw new Fault("delivery.not_found", { detail: `The execution has no delivery ${key.n}.` });
}
