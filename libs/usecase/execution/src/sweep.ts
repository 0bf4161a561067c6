import {
  announcingEventId,
  type Clock,
  type EventStream,
  type ExecutionQueue,
  type ExecutionStore,
  type SignalBus,
  type SweptExecution,
} from "@bulkhead/domain";
import { tellEnd } from "./end-execution.ts";
import type { Report } from "./report.ts";

export interface SweepDeps {
  executions: Pick<ExecutionStore, "expireOverdue" | "listQueued" | "recoverExpiredLeases">;
  queue: Pick<ExecutionQueue, "admit" | "missing" | "reap" | "release">;
  stream: Pick<EventStream, "append">;
  bus: Pick<SignalBus, "publish">;
  clock: Clock;
  report: Report;
}

/** What one sweep put right; each number is zero in a healthy system, but for `expired`. */
export interface Healed {
  expired: number;
  requeued: number;
  lost: number;
  queuedAgain: number;
  slotsFreed: number;
}

/** How many rows one sweep looks at in each step; the next sweep goes on. */
const ROWS_MAX = 1_000;
/** Younger queued rows may still be on their way from the insert to the queue. */
const QUEUED_GRACE_MS = 3_000;

/** Puts right what crashes and lost messages left behind. Several workers may sweep at once. */
export async function sweep(deps: SweepDeps): Promise<Healed> {
  const overdue = await deps.executions.expireOverdue(ROWS_MAX);
  for (const execution of overdue) await tellEnd(deps, execution);
  const { requeued, lost } = await deps.executions.recoverExpiredLeases(ROWS_MAX);
  for (const execution of lost) await tellEnd(deps, execution);
  for (const execution of requeued) await runAgain(deps, execution);
  const slotsFreed = await deps.queue.reap();
  const queuedAgain = await queueMissing(deps);
  return { expired: overdue.length, requeued: requeued.length, lost: lost.length, queuedAgain, slotsFreed };
}

async function runAgain(deps: SweepDeps, swept: SweptExecution): Promise<void> {
  const { tenantId, executionId, attempt } = swept;
  const retrying = {
    type: "execution.retrying",
    id: announcingEventId(attempt),
    executionId,
    attempt,
    at: deps.clock().toISOString(),
  } as const;
  await deps.stream.append(tenantId, [retrying]);
  await deps.queue.release({ tenantId, executionId, attempt: attempt - 1 });
  await deps.queue.admit({ tenantId, executionId, attempt }, swept.maxConcurrentExecutions);
}

/** Queues again what is queued in the database and nowhere in Redis. */
async function queueMissing(deps: SweepDeps): Promise<number> {
  let after: string | null = null;
  let count = 0;
  for (;;) {
    const queued: SweptExecution[] = await deps.executions.listQueued(QUEUED_GRACE_MS, after, ROWS_MAX);
    const limits = new Map(queued.map((row) => [row.executionId, row.maxConcurrentExecutions]));
    const missing = queued.length > 0 ? await deps.queue.missing(queued) : [];
    for (const attempt of missing) {
      await deps.queue.admit(attempt, limits.get(attempt.executionId) ?? null);
      count += 1;
    }
    after = queued.at(-1)?.executionId ?? null;
    if (queued.length < ROWS_MAX) return count;
  }
}
