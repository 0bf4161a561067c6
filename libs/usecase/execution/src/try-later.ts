import {
  announcingEventId,
  RETRY_BACKOFF_MS_MAX,
  type AttemptKey,
  type Clock,
  type Ending,
  type ExecutionQueue,
  type ExecutionStore,
  type RetryPolicy,
} from "@bulkhead/domain";
import type { AttemptLog } from "./attempt-log.ts";
import type { LateClaim } from "./late-claim.ts";
import type { Report } from "./report.ts";

export interface TryLaterDeps {
  executions: Pick<ExecutionStore, "retryLater">;
  queue: Pick<ExecutionQueue, "admit">;
  clock: Clock;
  report: Report;
}

/** By how much a pause may be longer than planned, so that what failed together is not tried again together. */
const JITTER = 0.2;

/**
 * Puts a try that ended badly on record and queues the next one, where the tool's policy asks for it, no effect could
 * happen twice and there is time. False: the try's end is the execution's.
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
  const delayMs = backoffMs(retry.backoffMs, held.attempt) * (1 + Math.random() * JITTER);
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

/** Before the try after `attempt`: doubles with each. */
export const backoffMs = (firstMs: number, attempt: number): number =>
  Math.min(firstMs * 2 ** (attempt - 1), RETRY_BACKOFF_MS_MAX);
