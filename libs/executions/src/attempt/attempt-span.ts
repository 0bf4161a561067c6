import { attemptName, type ClaimedExecution } from "@bulkhead/core";
import type { TraceSpan, Tracing } from "@bulkhead/process/telemetry";
import { roundMs } from "./stopwatch.ts";
import { QUEUE_ATTRIBUTES } from "./queue-attributes.ts";

/** When an attempt left the queue. */
export interface AttemptTimes {
  /** When the dispatcher gave it to the workers, in milliseconds since 1970 by its clock; null where nobody knows. */
  readySince: number | null;
  /** By this process's `performance.now()`. */
  claimStart: number;
}

/**
 * Begins the step of one attempt, from its claim on, and puts down its wait before that: since its acceptance, or since
 * it was to be tried again, with the moment at which its turn had come. Every attempt is a step of its own in the one trace.
 */
export function beginAttempt(
  tracing: Tracing,
  claimed: ClaimedExecution,
  { readySince, claimStart }: AttemptTimes,
): TraceSpan {
  const { tenantId, executionId, attempt, queuedMs, traceparent } = claimed;
  const attributes = {
    ...QUEUE_ATTRIBUTES,
    "bulkhead.tenant.id": tenantId,
    "bulkhead.tool.name": claimed.toolName,
    "bulkhead.tool.version": claimed.toolVersion,
    "bulkhead.execution.id": executionId,
    "bulkhead.attempt": attempt,
  };
  const claimMs = performance.now() - claimStart;
  const dwellMs = Math.max(0, queuedMs - claimMs);
  // A wait has nothing to do with who waits for it in this process, so it stands beside the attempt.
  const wait = tracing.begin("wait in queue", traceparent, { attributes, from: claimStart - dwellMs });
  if (readySince !== null) {
    // Another machine's clock may say that it was before the wait, or after.
    const readyMs = Math.min(Math.max(0, Date.now() - readySince - claimMs), dwellMs);
    wait.event("dispatched", claimStart - readyMs);
  }
  wait.end(null, claimStart);
  const span = tracing.begin("process executions", traceparent, {
    kind: "consumer",
    attributes: {
      ...attributes,
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.message.id": attemptName({ executionId, attempt }),
      "bulkhead.dwell_ms": roundMs(dwellMs),
    },
    from: claimStart,
  });
  span.begin("claim", { from: claimStart }).end();
  return span;
}
