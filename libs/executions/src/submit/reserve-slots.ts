import {
  type ExecutionQueue,
  type Reservation,
  type ReservationRequest,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";

export interface ReserveDeps {
  queue: Pick<ExecutionQueue, "reserve">;
}

/** Asks for slots in the tenant's backlog; the first `accepted` of the executions have one. Throws `service.unavailable`. */
export const reserveSlots = (
  { queue }: ReserveDeps,
  { tenantId, limits, limitsAsOf }: TenantPrincipal,
  wanted: Pick<ReservationRequest, "executionIds" | "timeoutMs" | "priority">,
): Promise<Reservation> => queue.reserve({ ...wanted, tenantId, current: { limits, asOf: limitsAsOf } });

/** Why a call has no slot: it would wait too long, or too many wait already. */
export function noSlot(
  { refusedFor, waitMs }: Reservation,
  { limits }: TenantPrincipal,
  timeoutMs: number,
): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  if (refusedFor === "deadline") {
    return new Fault("execution.deadline_unreachable", {
      detail: `By what runs took lately it would wait ${Math.ceil(waitMs)} ms or more, and its timeoutMs is ${timeoutMs}. Give it more time, or call again later.`,
      retryAfterSeconds,
    });
  }
  return new Fault("tenant.backlog_full", {
    detail: `All places are taken: ${limits.maxConcurrentExecutions} executions may run at one time (maxConcurrentExecutions), and ${limits.maxQueuedExecutions} more may wait (maxQueuedExecutions). Call again when some have run.`,
    retryAfterSeconds,
    quotas: [
      { name: "waiting", limit: limits.maxQueuedExecutions, remaining: 0, resetSeconds: retryAfterSeconds },
    ],
  });
}
