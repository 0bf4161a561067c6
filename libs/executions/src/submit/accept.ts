import {
  type Admission,
  type Clock,
  type ExecutionQueue,
  type ExecutionStore,
  type IdempotencyKey,
  type NewExecution,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import type { Report } from "../end/report.ts";
import type { Stopwatch } from "../attempt/stopwatch.ts";
import { insertOnce } from "./idempotency.ts";
import { noSlot, reserveSlots } from "./reserve-slots.ts";

export interface AcceptDeps {
  executions: Pick<ExecutionStore, "insert" | "insertOnce">;
  queue: Pick<ExecutionQueue, "reserve" | "admit" | "release">;
  clock: Clock;
  report: Report;
}

export interface Accepting {
  execution: NewExecution;
  once: IdempotencyKey | null;
}

/**
 * Reserves a slot, commits the row, then hands the first attempt to the queue. A queue that can't be reached after the
 * commit does not undo the acceptance: a sweep finds the row and queues it again. Answers the id of the execution, which
 * is an earlier one's where another call with the same key was faster.
 */
export async function accept(
  deps: AcceptDeps,
  principal: TenantPrincipal,
  { execution, once }: Accepting,
  watch: Stopwatch,
): Promise<string> {
  const { executionId, priority } = execution;
  const timeoutMs = timeoutOf(execution);
  const wanted = { executionIds: [executionId], timeoutMs, priority };
  const slots = await reserveSlots(deps, principal, wanted);
  if (slots.accepted === 0) throw noSlot(slots, principal, timeoutMs);
  watch.lap("reserve");
  try {
    const known = await insertOnce(deps, { execution, once });
    if (known !== null) {
      await releaseSlots(deps, [execution]);
      return known;
    }
  } catch (error) {
    await releaseRefused(deps, [execution], error);
    throw error;
  }
  watch.lap("persist");
  await handOver(deps, [execution], principal);
  watch.lap("admit");
  return executionId;
}

export const timeoutOf = ({ deadlineAt, createdAt, delayMs }: NewExecution): number =>
  deadlineAt.getTime() - createdAt.getTime() - delayMs;

/** Hands the first attempts of committed executions to the queue. Never rejects. */
export async function handOver(
  { queue, report }: Pick<AcceptDeps, "queue" | "report">,
  executions: NewExecution[],
  { limits, limitsAsOf }: TenantPrincipal,
): Promise<void> {
  const current = { limits, asOf: limitsAsOf };
  const admissions = executions.map(
    ({ tenantId, executionId, toolId, priority, delayMs, dispatch }): Admission => ({
      tenantId,
      executionId,
      attempt: 1,
      current,
      priority,
      delayMs,
      tool: toolId !== null && dispatch !== null ? { id: toolId, ...dispatch } : null,
    }),
  );
  try {
    await queue.admit(admissions);
  } catch (error) {
    const [first] = executions;
    const about = first && { traceId: first.traceId, executionId: first.executionId, attempt: 1 };
    report("queueing an accepted execution failed; a sweep will do it", error, about);
  }
}

/**
 * For executions whose insert failed with this error. A database that did not answer may have committed them: a sweep may
 * have handed them out by now, and releasing its slot would free one that runs. Those slots lapse. Never rejects.
 */
export async function releaseRefused(
  deps: Pick<AcceptDeps, "queue" | "report">,
  executions: NewExecution[],
  error: unknown,
): Promise<void> {
  if (error instanceof Fault && !error.retryable) await releaseSlots(deps, executions);
}

/** For executions that were not inserted. What fails here lapses by itself. Never rejects. */
export async function releaseSlots(
  { queue, report }: Pick<AcceptDeps, "queue" | "report">,
  executions: NewExecution[],
): Promise<void> {
  const given = executions.map(({ tenantId, executionId }) =>
    queue.release({ tenantId, executionId, attempt: 1 }, null),
  );
  for (const outcome of await Promise.allSettled(given))
    if (outcome.status === "rejected")
      return report("releasing a backlog slot failed; it lapses", outcome.reason);
}
