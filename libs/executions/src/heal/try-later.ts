import {
  announcingEventId,
  RETRY_BACKOFF_MS_MAX,
  RETRY_FACTOR_DEFAULT,
  RETRY_JITTER_DEFAULT,
  type AttemptKey,
  type Clock,
  type Ending,
  type ExecutionQueue,
  type ExecutionStore,
  type RetryPolicy,
} from "@bulkhead/core";
import type { AttemptLog } from "../attempt/attempt-log.ts";
import type { LateClaim } from "../attempt/late-claim.ts";
import type { Report } from "../end/report.ts";

export interface TryLaterDeps {
  executions: Pick<ExecutionStore, "retryLater">;
  queue: Pick<ExecutionQueue, "admit">;
  clock: Clock;
  report: Report;
}

/**
 * Puts a try that ended badly on record and queues the next one, where the tool's policy asks for it, no effect could
 * happen twice and there is time: after the pause that the error asks for, however long or short the planned one would
 * be. False: the try's end is the execution's.
 */
export async function tryLater(
  deps: TryLaterDeps,
  { retry }: { retry: RetryPolicy | null },
  held: AttemptKey & { claim: Pick<LateClaim, "make"> | null },
  ending: Ending,
  log: AttemptLog,
): Promise<boolean> {
  const { error } = ending;
  if (retry === null || error === null) return false;
  if (!retry.on.some((code) => code === error.code)) return false;
  if (held.claim !== null && !(await held.claim.make())) return false;
  const planned = error.retryAfterMs ?? backoffMs(retry, held.attempt);
  const delayMs = planned * (1 + Math.random() * (retry.jitter ?? RETRY_JITTER_DEFAULT));
  const next = await deps.executions.retryLater(held, ending, { delayMs, triesMax: retry.attempts });
  if (next === null) return false;
  const { executionId, attempt } = next;
  const at = deps.clock().toISOString();
  log.send({
    type: "execution.retrying",
    id: announcingEventId(attempt),
    executionId,
    attempt,
    at,
    error,
    delayMs: Math.round(delayMs),
  });
  await deps.queue
    .admit([next])
    .catch((cause: unknown) => deps.report("queueing another try failed; a sweep will do it", cause));
  return true;
}

/** The planned pause before the try after `attempt`, without jitter. */
export function backoffMs(retry: Omit<RetryPolicy, "on">, attempt: number): number {
  const { delaysMs = [], factor = RETRY_FACTOR_DEFAULT, maxMs = RETRY_BACKOFF_MS_MAX } = retry;
  const listed = delaysMs[Math.min(attempt, delaysMs.length) - 1];
  return listed ?? Math.min(retry.backoffMs * factor ** (attempt - 1), maxMs);
}
