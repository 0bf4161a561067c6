import {
  endEventOf,
  isTerminal,
  type EventStream,
  type Execution,
  type ExecutionError,
  type ExecutionKey,
  type ExecutionQueue,
  type ExecutionStore,
  type SignalBus,
  type TerminalStatus,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import type { Report } from "./report.ts";

export interface EndDeps {
  executions: Pick<ExecutionStore, "endFromOutside" | "find">;
  queue: Pick<ExecutionQueue, "release">;
  stream: Pick<EventStream, "append">;
  bus: Pick<SignalBus, "publish">;
  report: Report;
}

const CANCELLED: ExecutionError = { code: "execution.cancelled", message: "The execution was cancelled." };
const OVERDUE: ExecutionError = {
  code: "execution.deadline",
  message: "The deadline passed before there was a result.",
};

/** What an execution that may not be seen, and one that is not there, are both answered with. */
export const noSuchExecution = () =>
  new Fault("execution.not_found", { detail: "There is no execution with this id." });

/** Ends the execution as cancelled; from the answer on, it can have no other end. Throws `execution.already_ended`. */
export async function cancelExecution(deps: EndDeps, key: ExecutionKey): Promise<Execution> {
  const ended = await endFromOutside(deps, key, "cancelled", CANCELLED);
  if (ended) return ended;
  const found = await deps.executions.find(key);
  if (!found) throw noSuchExecution();
  if (!isTerminal(found.status))
    throw new Fault("service.unavailable", { internal: "cancel lost a race twice" });
  throw new Fault("execution.already_ended", { detail: `The execution has already ended: ${found.status}.` });
}

/** Ends the execution because its deadline passed; answers how it ended, whoever ended it. */
export async function expireExecution(deps: EndDeps, key: ExecutionKey): Promise<Execution> {
  const ended = (await endFromOutside(deps, key, "timed_out", OVERDUE)) ?? (await deps.executions.find(key));
  if (!ended) throw noSuchExecution();
  return ended;
}

async function endFromOutside(
  deps: EndDeps,
  key: ExecutionKey,
  status: TerminalStatus,
  error: ExecutionError,
): Promise<Execution | null> {
  const ended = await deps.executions.endFromOutside(key, { status, error });
  if (ended) await tellEnd(deps, ended);
  return ended;
}

/**
 * Tells followers and workers of an end that the row already holds, and frees what it held in the queue.
 * None of this can change the end: what fails is reported and healed by the reader of the row, the lease or the reaper.
 */
export async function tellEnd(deps: Omit<EndDeps, "executions">, ended: Execution): Promise<void> {
  const { tenantId, executionId, attempt } = ended;
  const event = endEventOf(ended);
  const steps = [
    deps.bus.publish({ type: "stop", executionId, attempt }),
    event ? deps.stream.append(tenantId, [event]) : Promise.resolve(),
    // It waited as its next attempt, or it ran as its current one.
    deps.queue.release({ tenantId, executionId, attempt: attempt + 1 }),
    ...(attempt > 0 ? [deps.queue.release({ tenantId, executionId, attempt })] : []),
  ];
  for (const outcome of await Promise.allSettled(steps)) {
    if (outcome.status === "rejected") deps.report("telling of an end failed", outcome.reason);
  }
}
