import { type TenantPrincipal, Fault } from "@bulkhead/core";
import { PLATFORM_ERROR, readTraceparent, type TraceSpan, type Tracing } from "@bulkhead/process/telemetry";
import type { NewCall } from "./build-execution.ts";
import { QUEUE_ATTRIBUTES } from "../attempt/attempt-span.ts";

/**
 * Begins the step in which a call is checked, stored and handed to the queue. What follows of the call belongs to it, in
 * whatever process: it is the parent that the row carries.
 */
export function beginSubmission<T extends NewCall>(
  tracing: Tracing,
  { tenantId }: Pick<TenantPrincipal, "tenantId">,
  toolName: string | null,
  call: T,
): { span: TraceSpan; call: T } {
  const { priority, delayMs } = call;
  const span = tracing.begin("send executions", call.traceparent, {
    kind: "producer",
    attributes: {
      ...QUEUE_ATTRIBUTES,
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "bulkhead.tenant.id": tenantId,
      "bulkhead.tool.name": toolName ?? undefined,
      "bulkhead.priority": priority,
      "bulkhead.delay_ms": delayMs > 0 ? delayMs : undefined,
      "bulkhead.replay_of": call.replayOf ?? undefined,
      "bulkhead.schedule.id": call.scheduleId ?? undefined,
    },
  });
  const { traceparent } = span;
  const traceId = readTraceparent(traceparent)?.traceId ?? call.traceId;
  return { span, call: { ...call, traceId, traceparent } };
}

type Answer = Fault | { executionId: string; repeated: boolean; status?: string };

/** Ends the step with what became of the call; what was refused has no execution. */
function endSubmission(span: TraceSpan, answer: Answer): void {
  if (answer instanceof Fault) {
    if (answer.status >= 500) span.set(PLATFORM_ERROR);
    return span.end(answer.code);
  }
  // A repeat is answered with the execution of the call before it.
  const { executionId, repeated, status } = answer;
  span.set({ "bulkhead.execution.id": executionId, "bulkhead.outcome": repeated ? "repeated" : status });
  span.end();
}

/** Submits inside the step, and ends it with what became of the call. */
export async function inSubmission<T extends { executionId: string; repeated: boolean }>(
  span: TraceSpan,
  submit: () => Promise<T>,
): Promise<T> {
  try {
    const submitted = await submit();
    endSubmission(span, submitted);
    return submitted;
  } catch (error) {
    endSubmission(span, faultOf(error));
    throw error;
  }
}

/** The same for the calls of a batch, each with its own answer, or with what all of them failed with. */
export async function inSubmissions<T extends Answer>(
  spans: TraceSpan[],
  submit: () => Promise<T[]>,
): Promise<T[]> {
  try {
    const answers = await submit();
    for (const [place, answer] of answers.entries()) {
      const span = spans[place];
      if (span) endSubmission(span, answer);
    }
    return answers;
  } catch (error) {
    for (const span of spans) endSubmission(span, faultOf(error));
    throw error;
  }
}

const faultOf = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault("service.internal", { cause: error });
