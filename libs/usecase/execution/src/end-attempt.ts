import {
  endEventOf,
  QUARANTINE_CONVICTIONS_MAX,
  type AttemptKey,
  type Ending,
  type Execution,
  type ExecutionStore,
  type SignalBus,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { setTimeout } from "node:timers/promises";
import type { AttemptLog } from "./attempt-log.ts";
import { failed } from "./judge.ts";
import type { Report } from "./report.ts";

export interface EndAttemptDeps {
  executions: Pick<ExecutionStore, "finish" | "convict">;
  bus: Pick<SignalBus, "publish">;
  report: Report;
}

/** Six tries over about six seconds. */
const FINISH_TRIES_MAX = 6;
const FINISH_BACKOFF_MS = 100;

/** Writes the end for the attempt's holder, then tells it; null when someone else had moved the execution on. */
export async function endAttempt(
  deps: EndAttemptDeps,
  attempt: AttemptKey,
  ending: Ending,
  log: AttemptLog,
): Promise<Execution | null> {
  const endEventId = log.endEventId();
  const finish = (as: Ending) => deps.executions.finish(attempt, as, endEventId);
  const ended = await persist(
    deps,
    () => finish(ending),
    () => finish(unstorable(ending)),
  );
  sendEnd(log, ended);
  return ended;
}

/** `endAttempt` for a run that killed its process: its tool is disabled when that happened too often. */
export async function endConvicted(
  deps: EndAttemptDeps,
  attempt: AttemptKey,
  ending: Ending,
  log: AttemptLog,
): Promise<Execution | null> {
  const text = `The tool was disabled: it killed its sandbox process ${QUARANTINE_CONVICTIONS_MAX} times.`;
  const line = log.number({ type: "execution.log", level: "error", text });
  const endEventId = log.endEventId();
  const convict = () => deps.executions.convict(attempt, ending, endEventId, QUARANTINE_CONVICTIONS_MAX);
  const convicted = await persist(deps, convict, convict);
  if (convicted === null) return null;
  if (convicted.quarantined) {
    log.send(line);
    await tellQuarantine(deps, convicted.ended);
  }
  sendEnd(log, convicted.ended);
  return convicted.ended;
}

async function tellQuarantine({ bus, report }: EndAttemptDeps, ended: Execution): Promise<void> {
  const { tenantId, toolId, toolName, toolVersion, executionId } = ended;
  report("tool.quarantined", { tenantId, toolId, toolName, toolVersion, executionId });
  await bus
    .publish({ type: "forget", kind: "tool", id: toolId ?? "" })
    .catch((error: unknown) => report("telling other processes of a disabled tool failed", error));
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
