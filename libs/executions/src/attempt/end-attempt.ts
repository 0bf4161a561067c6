import {
  announcingEventId,
  endEventOf,
  QUARANTINE_CONVICTIONS_MAX,
  type Admission,
  type AttemptKey,
  type AuditLog,
  type ClaimedExecution,
  type ClaimWithEnd,
  type Clock,
  type Ending,
  type Execution,
  type ExecutionQueue,
  type ExecutionStore,
  type LateBill,
  type SignalBus,
  type TenantEvents,
  Fault,
} from "@bulkhead/core";
import { within, type TraceSpan } from "@bulkhead/process/telemetry";
import { setTimeout } from "node:timers/promises";
import type { AttemptLog } from "./attempt-log.ts";
import { asksForRetry, failed, retryDelayMs } from "./judge.ts";
import type { LateClaim } from "./late-claim.ts";
import type { StopReason } from "./running-attempts.ts";
import type { Report } from "../end/report.ts";

export interface EndAttemptDeps {
  executions: Pick<ExecutionStore, "finish" | "convict" | "billOutside">;
  bus: Pick<SignalBus, "publish">;
  tenantEvents: Pick<TenantEvents, "publish">;
  audit: AuditLog;
  report: Report;
}

/** An attempt that is to end: its claim is null where that was made before the run. */
export interface EndingAttempt extends AttemptKey {
  claim: Pick<LateClaim, "endWith" | "isHeld" | "isStale"> | null;
  span: Pick<TraceSpan, "begin">;
}

/** Six tries over about six seconds. */
const FINISH_TRIES_MAX = 6;
const FINISH_BACKOFF_MS = 100;
/** Before an execution is handed back for which there was no sandbox: less than a lease, enough for some to start. */
const NO_SANDBOX_PAUSE_MS = 2_000;

/**
 * Writes the end for the attempt's holder, with its claim where that is still to be made, then tells it; null when someone
 * else had moved the execution on: where it was ended, only what the run used is added. The tool of a run that is
 * `convicted` is disabled when that happened too often.
 */
export const endAttempt = (
  deps: EndAttemptDeps,
  attempt: EndingAttempt,
  ending: Ending,
  log: AttemptLog,
  convicted: boolean,
): Promise<Execution | null> =>
  within(
    attempt.span.begin("persist end"),
    async (span) => {
      const ended = await (convicted ? convict : finish)(deps, attempt, ending, log);
      span.set({ "bulkhead.outcome": ended?.status ?? "superseded" });
      if (ended) span.event("end told to the stream");
      return ended;
    },
    { threw: () => "service.unavailable" },
  );

async function finish(
  deps: EndAttemptDeps,
  attempt: EndingAttempt,
  ending: Ending,
  log: AttemptLog,
): Promise<Execution | null> {
  const endEventId = log.endEventId();
  const write = (claim: ClaimWithEnd | null): Promise<Execution | null> => {
    const writeAs = async (as: Ending) =>
      claim !== null && attempt.claim?.isStale
        ? null
        : deps.executions.finish(attempt, as, endEventId, claim);
    return persist(
      deps,
      () => writeAs(ending),
      () => writeAs(unstorable(ending)),
    );
  };
  const ended = await (attempt.claim ? attempt.claim.endWith(write) : write(null));
  // A run that was never this worker's is billed by others.
  if (ended === null && (attempt.claim === null || attempt.claim.isHeld))
    await billRun(deps, attempt, ending);
  sendEnd(log, ended);
  return ended;
}

const QUARANTINED = `The tool was disabled: it killed its sandbox process ${QUARANTINE_CONVICTIONS_MAX} times.`;
const CONVICTED = `The tool killed its sandbox process; a version that does so ${QUARANTINE_CONVICTIONS_MAX} times is disabled.`;

async function convict(
  deps: EndAttemptDeps,
  attempt: AttemptKey,
  ending: Ending,
  log: AttemptLog,
): Promise<Execution | null> {
  const verdict = log.numberAhead();
  const endEventId = log.endEventId();
  const write = () => deps.executions.convict(attempt, ending, endEventId, QUARANTINE_CONVICTIONS_MAX);
  const convicted = await persist(deps, write, write);
  if (convicted === null) {
    await billRun(deps, attempt, ending);
    return null;
  }
  const text = convicted.quarantined ? QUARANTINED : CONVICTED;
  log.send(verdict({ type: "execution.log", level: "error", text }));
  if (convicted.quarantined) await tellQuarantine(deps, convicted, text);
  sendEnd(log, convicted.ended);
  return convicted.ended;
}

/**
 * Puts what a run used on the record of an execution that somebody else ended meanwhile: nobody else can know it, and
 * nobody could before its guest was dead. Never rejects: without it the end stands, with what was known when it was written.
 */
export async function billLate(
  deps: Pick<EndAttemptDeps, "report"> & { executions: Pick<ExecutionStore, "billOutside"> },
  attempt: AttemptKey,
  bill: LateBill,
): Promise<boolean> {
  try {
    return await deps.executions.billOutside(attempt, bill);
  } catch (error) {
    deps.report("billing a run that was ended from outside failed", error);
    return false;
  }
}

/** Where nothing ran there is nothing to add. */
async function billRun(deps: EndAttemptDeps, attempt: AttemptKey, ending: Ending): Promise<void> {
  const { usage, timings, endedBy } = ending;
  if (endedBy !== null) await billLate(deps, attempt, { usage, timings, endedBy });
}

async function tellQuarantine(
  { bus, tenantEvents, audit, report }: EndAttemptDeps,
  { ended, agentId }: { ended: Execution; agentId?: string | null },
  reason: string,
): Promise<void> {
  const { tenantId, toolName, toolVersion, executionId } = ended;
  // Only a stored tool can be disabled, so there is an id.
  const toolId = ended.toolId ?? "";
  report("tool.quarantined", { tenantId, toolId, toolName, toolVersion, executionId });
  await audit.record(null, tenantId, {
    action: "tool.quarantined",
    id: toolId,
    name: toolName,
    details: { version: toolVersion, executionId, convictions: QUARANTINE_CONVICTIONS_MAX },
  });
  for (const forget of [
    { type: "forget", kind: "tool", id: toolId, tenantId },
    { type: "forget", kind: "tools", id: tenantId, tenantId },
  ] as const) {
    await bus
      .publish(forget)
      .catch((error: unknown) => report("telling other processes of a disabled tool failed", error));
  }
  const data = { toolId, toolName, toolVersion, reason, executionId };
  await tenantEvents.publish(tenantId, { type: "tool.quarantined", data, agentId });
}

function sendEnd(log: AttemptLog, ended: Execution | null): void {
  const event = ended && endEventOf(ended);
  if (event) log.send(event);
}

/** A result in hand is worth waiting for a database that comes back; if it does not, the lease runs out. */
async function persist<T>(
  { report }: Pick<EndAttemptDeps, "report">,
  write: () => Promise<T>,
  writeOtherwise: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isPassing(error)) return writeOtherwise();
      if (tries === FINISH_TRIES_MAX) throw error;
      report("writing an end failed; trying again", error);
      await setTimeout(FINISH_BACKOFF_MS * 2 ** tries);
    }
  }
}

const isPassing = (error: unknown): boolean => error instanceof Fault && error.retryable;

/** The end of a run whose result the database refuses for what it is. */
const unstorable = (ending: Ending): Ending => ({
  ...ending,
  ...failed("failed", "tool.output_invalid", "The result can't be stored."),
});

export interface RequeueDeps {
  executions: Pick<ExecutionStore, "retryLater">;
  queue: Pick<ExecutionQueue, "admit">;
  clock: Clock;
  report: Report;
}

/**
 * Puts a try that ended badly on record and queues the next one, where the tool's policy asks for it, no effect could
 * happen twice and there is time. False: the try's end is the execution's.
 */
export async function retryLater(
  deps: RequeueDeps,
  { retry, failures }: Pick<ClaimedExecution, "retry" | "failures">,
  held: AttemptKey & { claim: Pick<LateClaim, "make"> | null },
  ending: Ending,
  log: AttemptLog,
): Promise<boolean> {
  const { error } = ending;
  if (retry === null || error === null || !asksForRetry(retry, error)) return false;
  if (held.claim !== null && !(await held.claim.make())) return false;
  const delayMs = retryDelayMs(retry, error, failures + 1);
  const next = await deps.executions.retryLater(held, ending, { delayMs, triesMax: retry.attempts });
  if (next === null) return false;
  await queueAgain(deps, next, log, { error, delayMs: Math.round(delayMs) });
  return true;
}

/** A run that this worker stopped: its execution goes back to the queue where it may run again, else it is lost. */
export async function handBack(
  deps: EndAttemptDeps & RequeueDeps & { executions: Pick<ExecutionStore, "handBack"> },
  held: EndingAttempt & { claim: Pick<LateClaim, "make"> | null },
  stopped: Exclude<StopReason, "deadline">,
  bill: LateBill,
  log: AttemptLog,
): Promise<void> {
  if (stopped === "superseded" || (held.claim !== null && !(await held.claim.make()))) return;
  if (stopped === "no_sandbox") await setTimeout(NO_SANDBOX_PAUSE_MS);
  const handedBack = await deps.executions.handBack(held);
  if (handedBack === "gone") return;
  if (handedBack !== "kept") return queueAgain(deps, handedBack, log, {});
  const message = "The worker stopped after the tool had asked for an effect; the tool is not idempotent.";
  const lost = failed("lost", "execution.lost", message);
  await endAttempt(deps, held, { ...lost, ...bill }, log, false);
}

/** Tells of the next attempt and queues it. Never rejects. */
async function queueAgain(
  { queue, clock, report }: RequeueDeps,
  next: Admission,
  log: AttemptLog,
  why: { error?: NonNullable<Ending["error"]>; delayMs?: number },
): Promise<void> {
  const { executionId, attempt } = next;
  const at = clock().toISOString();
  log.send({ type: "execution.retrying", id: announcingEventId(attempt), executionId, attempt, at, ...why });
  await queue
    .admit([next])
    .catch((error: unknown) => report("queueing another attempt failed; a sweep will do it", error));
}
