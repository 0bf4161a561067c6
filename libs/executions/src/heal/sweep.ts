import {
  announcingEventId,
  attemptName,
  type Admission,
  type Clock,
  type EventStream,
  type ExecutionQueue,
  type ExecutionStore,
  type SignalBus,
  type TenantEvents,
} from "@bulkhead/core";
import { tellEnd } from "../end/end-execution.ts";
import type { Report } from "../end/report.ts";

export interface SweepDeps {
  executions: Pick<ExecutionStore, "expireOverdue" | "listQueued" | "recoverExpiredLeases">;
  queue: Pick<ExecutionQueue, "admit" | "missing" | "reap" | "release">;
  stream: Pick<EventStream, "append">;
  bus: Pick<SignalBus, "publish">;
  tenantEvents: Pick<TenantEvents, "publish">;
  clock: Clock;
  report: Report;
}

/** Counts of what one sweep put right; each number is zero in a healthy system, but for `expired`. */
export interface Healed {
  expired: number;
  requeued: number;
  lost: number;
  queuedAgain: number;
  slotsFreed: number;
}

/** How many rows one step of a sweep looks at; the next sweep goes on. */
const ROWS_MAX = 1_000;
/** How many steps one sweep makes through what is queued: a long backlog is looked through over several sweeps. */
const QUEUED_STEPS_MAX = 5;
/** Younger queued rows may still be on their way from the insert to the queue. */
const QUEUED_GRACE_MS = 3_000;

/** How far the look through what is queued has come; null: it begins anew. */
export interface SweepPlace {
  after: string | null;
}

/** Puts right what crashes and lost messages left behind. Several workers may sweep at once. */
export async function sweep(deps: SweepDeps, place: SweepPlace): Promise<Healed> {
  const overdue = await deps.executions.expireOverdue(ROWS_MAX);
  for (const execution of overdue) await tellEnd(deps, execution);
  const { requeued, lost } = await deps.executions.recoverExpiredLeases(ROWS_MAX);
  for (const execution of lost) await tellEnd(deps, execution);
  for (const execution of requeued) await runAgain(deps, execution);
  const slotsFreed = await deps.queue.reap();
  const queuedAgain = await queueMissing(deps, place);
  return { expired: overdue.length, requeued: requeued.length, lost: lost.length, queuedAgain, slotsFreed };
}

/** Runs an execution again whose worker was lost: says so, queues it, and frees the lost attempt's slot. */
export async function runAgain(
  deps: Pick<SweepDeps, "queue" | "stream" | "clock">,
  admission: Admission,
): Promise<void> {
  const { tenantId, executionId, attempt } = admission;
  const at = deps.clock().toISOString();
  await deps.stream.append(tenantId, [
    { type: "execution.retrying", id: announcingEventId(attempt), executionId, attempt, at },
  ]);
  // In this order: the slot of the lost attempt goes to whoever waits first, which may be this one.
  await deps.queue.admit([admission]);
  await deps.queue.release({ tenantId, executionId, attempt: attempt - 1 }, null);
}

/** Queues again what is queued in the database and nowhere in Redis. */
async function queueMissing(deps: SweepDeps, place: SweepPlace): Promise<number> {
  let count = 0;
  for (let step = 0; step < QUEUED_STEPS_MAX; step += 1) {
    const queued = await deps.executions.listQueued(QUEUED_GRACE_MS, place.after, ROWS_MAX);
    const missing = new Set((queued.length > 0 ? await deps.queue.missing(queued) : []).map(attemptName));
    // Between the two looks some may have run, and are nowhere any more because they are done.
    const still =
      missing.size > 0 ? await deps.executions.listQueued(QUEUED_GRACE_MS, place.after, ROWS_MAX) : [];
    const again = still.filter((admission) => missing.has(attemptName(admission)));
    if (again.length > 0) await deps.queue.admit(again);
    count += again.length;
    place.after = queued.length < ROWS_MAX ? null : (queued.at(-1)?.executionId ?? null);
    if (place.after === null) break;
  }
  return count;
}
