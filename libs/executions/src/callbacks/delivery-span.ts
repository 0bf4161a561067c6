import { deliveryId, type ClaimedDelivery, type DeliveryOutcome } from "@bulkhead/core";
import type { TraceSpan, Tracing } from "@bulkhead/process/telemetry";

/** Begins the step of one try, in the trace of the execution that it tells of; nothing of the trace goes out with it. */
export function beginDelivery(tracing: Tracing, claimed: ClaimedDelivery): TraceSpan {
  const { tenantId, executionId, n, tryNumber, traceparent } = claimed;
  return tracing.begin("deliver callback", traceparent, {
    kind: "client",
    attributes: {
      "http.request.method": "POST",
      "http.request.resend_count": tryNumber > 1 ? tryNumber - 1 : undefined,
      // The caller names the host, and may put anything into it.
      "server.address": "_OTHER",
      "bulkhead.tenant.id": tenantId,
      "bulkhead.execution.id": executionId,
      "bulkhead.delivery.id": deliveryId(executionId, n),
      "bulkhead.attempt": tryNumber,
    },
  });
}

/** Ends it with the status of the answer, or without any. What follows is the outcome: `delivered`, `retry` or `failed`. */
export function endDelivery(span: TraceSpan, { status, verdict }: DeliveryOutcome): void {
  span.set({ "http.response.status_code": status ?? undefined, "bulkhead.outcome": verdict.next });
  span.end(verdict.next === "delivered" ? null : String(status ?? "no_answer"));
}
