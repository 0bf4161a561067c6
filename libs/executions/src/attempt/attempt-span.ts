import { attemptName, type ClaimedExecution } from "@bulkhead/core";
import type { TraceSpan, Tracing } from "@bulkhead/process/telemetry";
import type { Ran } from "./judge.ts";
import { roundMs } from "./stopwatch.ts";
import type { HeldAttempt } from "./tool-calls.ts";

/** The attributes of the queue that spans on both its sides have, under OpenTelemetry's names. */
export const QUEUE_ATTRIBUTES = {
  "messaging.system": "bullmq",
  "messaging.destination.name": "executions",
} as const;

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
  const { executionId, attempt, queuedMs, traceparent } = claimed;
  const attributes = { ...QUEUE_ATTRIBUTES, ...attributesOf(claimed) };
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

/** Begins the step of an attempt in which its tool runs. */
export const beginRun = (held: HeldAttempt): TraceSpan =>
  held.span.begin("run tool", { attributes: attributesOf(held) });

/** Ends it with how the tool ran; null where that could not be seen through. */
export function endRun(span: TraceSpan, ran: Ran | null): void {
  if (ran === null) return span.end("run.broken");
  const { cpuMs, memoryPeakMib, networkRequests } = "stopped" in ran ? ran.used : ran.ending.usage;
  span.set({
    "bulkhead.outcome": "stopped" in ran ? ran.stopped : ran.ending.status,
    "bulkhead.bind_ms": roundMs(ran.bindMs),
    "bulkhead.cpu_ms": cpuMs,
    "bulkhead.memory_peak_mib": memoryPeakMib,
    "bulkhead.network_requests": networkRequests,
  });
  span.end(failureOf(ran));
}

/** The code of how a run ended; null for a good end. */
export const failureOf = (ran: Ran): string | null =>
  "stopped" in ran ? ran.stopped : (ran.ending.error?.code ?? null);

type Named = Pick<ClaimedExecution, "tenantId" | "toolName" | "toolVersion" | "executionId" | "attempt">;

const attributesOf = ({ tenantId, toolName, toolVersion, executionId, attempt }: Named) => ({
  "bulkhead.tenant.id": tenantId,
  "bulkhead.tool.name": toolName,
  "bulkhead.tool.version": toolVersion,
  "bulkhead.execution.id": executionId,
  "bulkhead.attempt": attempt,
});
