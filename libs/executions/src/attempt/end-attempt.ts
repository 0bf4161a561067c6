import {
  endEventOf,
  QUARANTINE_CONVICTIONS_MAX,
  type AttemptKey,
  type AuditLog,
  type ClaimWithEnd,
  type Ending,
  type Execution,
  type ExecutionStore,
  type SignalBus,
  type TenantEvents,
  Fault,
} from "@bulkhead/core";
import { setTimeout } from "node:timers/promises";
import type { AttemptLog } from "./attempt-log.ts";
import { billLate } from "./bill-late.ts";
import { failed } from "./judge.ts";
import type { LateClaim } from "./late-claim.ts";
import type { Report } from "../end/report.ts";

export interface EndAttemptDeps {
  executions: Pick<ExecutionStore, "finish" | "convict" | "billOutside">;
  bus: Pick<SignalBus, "publish">;
  tenantEvents: Pick<TenantEvents, "publish">;
  audit: AuditLog;
  report: Report;
}

/** An attempt with its claim, null where that was made before the run. */
export interface EndedAttempt extends AttemptKey {
  claim: Pick<LateClaim, "endWith" | "isHeld" | "isStale"> | null;
}

/** Six tries over about six seconds. */
const FINISH_TRIES_MAX = 6;
const FINISH_BACKOFF_MS = 100;

/**
 * Writes the end for the attempt's holder, with its claim where that is still to be made, then tells it; null when someone
 * else had moved the execution on: where it was ended, only what the run used is added.
 */
export async function endAttempt(
  deps: EndAttemptDeps,
  attempt: EndedAttempt,
  ending: Ending,
  log: AttemptLog,
): Promise<Execution | null> {
  const endEventId = log.endEventId();
  const write = (claim: ClaimWithEnd | null): Promise<Execution | null> => {
    const finish = async (as: Ending) =>
      claim !== null && attempt.claim?.isStale
        ? null
        : deps.executions.finish(attempt, as, endEventId, claim);
    return persist(
      deps,
      () => finish(ending),
      () => finish(unstorable(ending)),
    );
  };
  const ended = await (attempt.claim ? attempt.claim.endWith(write) : write(null));
  // What was never this worker's is others' to bill.
  if (ended === null && (attempt.claim === null || attempt.claim.isHeld))
    await billRun(deps, attempt, ending);
  sendEnd(log, ended);
  return ended;
}

const QUARANTINED = `The tool was disabled: it killed its sandbox process ${QUARANTINE_CONVICTIONS_MAX} times.`;
const CONVICTED = `The tool killed its sandbox process; a version that does so ${QUARANTINE_CONVICTIONS_MAX} times is disabled.`;

/** `endAttempt` for a run that killed its process: its tool is disabled when that happened too often. */
export async function endConvicted(
  deps: EndAttemptDeps,
  attempt: AttemptKey,
  ending: Ending,
  log: AttemptLog,
): Promise<Execution | null> {
  const verdict = log.numberAhead();
  const endEventId = log.endEventId();
  const convict = () => deps.executions.convict(attempt, ending, endEventId, QUARANTINE_CONVICTIONS_MAX);
  const convicted = await persist(deps, convict, convict);
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
