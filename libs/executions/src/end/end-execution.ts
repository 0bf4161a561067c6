import {
  deniedFor,
  endEventOf,
  isTerminal,
  type AuditLog,
  type EventStream,
  type Execution,
  type ExecutionError,
  type ExecutionKey,
  type ExecutionQueue,
  type ExecutionStore,
  type SignalBus,
  type TenantEvents,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import type { Report } from "./report.ts";
import { noSuchExecution, requireSeen } from "../follow/see-execution.ts";
import { tellBehindAsked, tellNotAllowed } from "../follow/tell-answer.ts";

export interface EndDeps {
  executions: Pick<ExecutionStore, "endFromOutside" | "find">;
  queue: Pick<ExecutionQueue, "release">;
  stream: Pick<EventStream, "append">;
  bus: Pick<SignalBus, "publish">;
  tenantEvents: Pick<TenantEvents, "publish">;
  report: Report;
}

const CANCELLED: ExecutionError = { code: "execution.cancelled", message: "The execution was cancelled." };
const OVERDUE: ExecutionError = {
  code: "execution.deadline",
  message: "The deadline passed before there was a result.",
};

/**
 * Ends the execution as cancelled; from the answer on, it can have no other end. Throws `execution.not_found`,
 * `execution.already_ended`.
 */
export async function cancelExecution(
  deps: EndDeps & { audit: AuditLog },
  by: TenantPrincipal,
  key: ExecutionKey,
): Promise<Execution> {
  await requireSeen(deps, by, key);
  const ended = await endFromOutside(deps, key, { status: "cancelled", error: CANCELLED });
  if (ended) {
    const { toolId, toolName: name } = ended;
    const deed = { action: "execution.cancelled", id: key.executionId, name, details: { toolId } } as const;
    await deps.audit.record(by, key.tenantId, deed);
    return ended;
  }
  const found = await deps.executions.find(key);
  if (!found) throw noSuchExecution();
  if (!isTerminal(found.status))
    throw new Fault("service.unavailable", { internal: "cancel lost a race twice" });
  throw new Fault("execution.already_ended", { detail: `The execution has already ended: ${found.status}.` });
}

/** Ends an execution that waits for a person as denied by this key; null where it does not wait any more. */
export const denyExecution = (
  deps: EndDeps,
  key: ExecutionKey,
  by: string,
  reason: string | null,
): Promise<Execution | null> =>
  endFromOutside(deps, key, {
    status: "denied",
    error: deniedFor(reason),
    answer: { answer: "deny", by, reason: reason ?? undefined },
  });

/** Ends the execution because its deadline passed; answers how it ended, whoever ended it. */
export async function expireExecution(deps: EndDeps, key: ExecutionKey): Promise<Execution> {
  const ended =
    (await endFromOutside(deps, key, { status: "timed_out", error: OVERDUE })) ??
    (await deps.executions.find(key));
  if (!ended) throw noSuchExecution();
  return ended;
}

/** Ends as cancelled, for the reason given, what the platform itself had started; nothing where it has ended. */
export async function withdrawExecution(deps: EndDeps, key: ExecutionKey, message: string): Promise<void> {
  await endFromOutside(deps, key, { status: "cancelled", error: { ...CANCELLED, message } });
}

async function endFromOutside(
  deps: EndDeps,
  key: ExecutionKey,
  ending: Parameters<ExecutionStore["endFromOutside"]>[1],
): Promise<Execution | null> {
  const ended = await deps.executions.endFromOutside(key, ending);
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
    // A worker that has not claimed it yet may run by now an execution that waited.
    deps.bus.publish({
      type: "stop",
      executionId,
      attempt: ended.startedAt === null ? attempt + 1 : attempt,
    }),
    event ? tellBehindAsked(deps, ended, ended.approval, event) : Promise.resolve(),
    tellNotAllowed(deps, ended),
    // Where it waited, it did so as its next attempt. The slot of one that runs is freed by its worker, once it is dead.
    deps.queue.release({ tenantId, executionId, attempt: attempt + 1 }, "unless_taken"),
  ];
  for (const outcome of await Promise.allSettled(steps)) {
    if (outcome.status === "rejected") deps.report("telling of an end failed", outcome.reason);
  }
}
