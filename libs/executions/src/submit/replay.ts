import {
  EXECUTION_TIMEOUT_MS_MAX,
  isTerminal,
  keepsNothing,
  onlySeenBy,
  scopeOf,
  seesCallOf,
  type AuditDeed,
  type AuditLog,
  type Execution,
  type ExecutionFilter,
  type ExecutionStatus,
  type ExecutionStore,
  type IdempotencyKey,
  type Replayable,
  type TenantPrincipal,
  type Tool,
  type ToolStore,
  Fault,
} from "@bulkhead/core";
import { isSeen } from "@bulkhead/policy";
import { noSuchExecution, seeExecution } from "../follow/see-execution.ts";
import { nextExecutionId, PLAIN_CALL, type NewCall } from "./build-execution.ts";
import { firstUse } from "./idempotency.ts";
import { submitBatch, type BatchAnswer, type BatchDeps } from "./submit-batch.ts";
import { submitExecution } from "./submit.ts";

export type ReplayDeps = BatchDeps & {
  audit: AuditLog;
  executions: Pick<ExecutionStore, "find" | "findByKey" | "findReplayable" | "listReplayable">;
  tools: Pick<ToolStore, "find">;
};

/**
 * Makes the call of an ended execution again, with the tool as it is now, as a new execution that names the old one; its
 * callback is not told of the new one. A repeat with the same key gets the first replay, as it is by now.
 * Of a call of which nothing was kept nothing is kept of the replay.
 * Throws `execution.not_found`, `execution.arguments_erased`, `execution.not_replayable` (it goes on, it was a dry run, a built-in tool's or a nested call, or its tool is
 * gone, or another agent's), and what `submitExecution` throws.
 */
export async function replayExecution(
  deps: ReplayDeps,
  principal: TenantPrincipal,
  executionId: string,
  how: Pick<NewCall, "traceId" | "traceparent" | "client" | "once">,
): Promise<{ executionId: string; status: ExecutionStatus; repeated: boolean }> {
  const { tenantId } = principal;
  const earlier = async (known: string) => ({
    ...(await seeExecution(deps, principal, { tenantId, executionId: known })),
    repeated: true,
  });
  const known = await firstUse(deps, tenantId, how.once);
  if (known !== null) return earlier(known);
  const old = await deps.executions.findReplayable({ tenantId, executionId });
  if (!old || !seesCallOf(principal, old.context.agentId)) throw noSuchExecution();
  const tool = await deps.tools.find(tenantId, requireReplayable(old), scopeOf(principal));
  if (!tool || !isSeen(principal, old.context, tool)) throw toolGone();
  const { arguments: args, context, timeoutMs, priority, retention } = old;
  const submitted = await submitExecution(deps, principal, tool, {
    ...PLAIN_CALL,
    source: "replay",
    executionId: nextExecutionId(deps.clock),
    arguments: args,
    context,
    timeoutMs,
    priority,
    store: !keepsNothing(retention),
    ...how,
    replayOf: executionId,
  });
  if (submitted.repeated) return earlier(submitted.executionId);
  await deps.audit.record(principal, tenantId, replayed(executionId, tool.name, submitted.executionId));
  return submitted;
}

/** The old execution is the subject. */
const replayed = (id: string, name: string, executionId: string): AuditDeed => ({
  action: "execution.replayed",
  id,
  name,
  details: { executionId },
});

/** The id of the tool that is called again. */
function requireReplayable({ toolId, status, isErased }: Replayable): string {
  if (toolId === null) {
    throw new Fault("execution.not_replayable", {
      detail: "It was a dry run, a call of a built-in tool, or a call that another execution made.",
    });
  }
  if (!isTerminal(status)) {
    throw new Fault("execution.not_replayable", {
      detail: `The execution is ${status}; cancel it, or wait for its end.`,
    });
  }
  if (isErased) {
    throw new Fault("execution.arguments_erased", {
      detail:
        "Its arguments were erased, as its tool, its tenant or its caller had asked for; make a new call.",
    });
  }
  return toolId;
}

/** The fault that there is no tool, also where it is outside the policy of who asks by now. */
const calleeOf = (principal: TenantPrincipal, { context }: Execution, tool: Tool | null | undefined) =>
  tool && isSeen(principal, context, tool) ? tool : toolGone();

const toolGone = () => new Fault("execution.not_replayable", { detail: "Its tool was deleted." });

/** It chooses the calls to make again: the newest that match and have not been replayed, `limit` or `listReplayable`'s bytes at most. */
export type ReplayFilter = Omit<ExecutionFilter, "agentId"> & { limit: number };

/** The calls that `replayMatching` would make again at this moment. */
const replayableOf = (
  { executions }: { executions: Pick<ExecutionStore, "listReplayable"> },
  principal: TenantPrincipal,
  { limit, ...filter }: ReplayFilter,
): Promise<Execution[]> =>
  executions.listReplayable(principal.tenantId, { ...filter, ...onlySeenBy(principal) }, limit);

/** How many those are; some of them may be refused, as where their tool is gone. */
export const countReplayable = async (...asked: Parameters<typeof replayableOf>): Promise<number> =>
  (await replayableOf(...asked)).length;

/**
 * `replayExecution` for all that match and that the key sees, as one batch; each old one with what became of it. However
 * many ask at once, it replays an old one once: the others are answered with that replay.
 */
export async function replayMatching(
  deps: ReplayDeps,
  principal: TenantPrincipal,
  filter: ReplayFilter,
  origin: Pick<NewCall, "traceId" | "traceparent" | "client">,
): Promise<{ replayOf: string; answer: BatchAnswer }[]> {
  const { tenantId } = principal;
  const old = await replayableOf(deps, principal, filter);
  const ids = [...new Set(old.flatMap(({ toolId }) => toolId ?? []))];
  const tools = new Map(
    await Promise.all(
      ids.map(async (id) => [id, await deps.tools.find(tenantId, id, scopeOf(principal))] as const),
    ),
  );
  const calls = old.map((execution) => ({
    ...PLAIN_CALL,
    source: "replay" as const,
    executionId: nextExecutionId(deps.clock),
    arguments: execution.arguments,
    context: execution.context,
    timeoutMs: timeoutOf(execution),
    priority: execution.priority,
    ...origin,
    replayOf: execution.executionId,
    once: onceFor(execution),
    tool: calleeOf(principal, execution, tools.get(execution.toolId ?? "")),
  }));
  const answers = await submitBatch(deps, principal, calls);
  const made = old.flatMap(({ executionId, toolName }, place) => {
    const answer = answers[place];
    if (answer === undefined || answer instanceof Fault || answer.repeated) return [];
    return [replayed(executionId, toolName, answer.executionId)];
  });
  await deps.audit.record(principal, tenantId, ...made);
  return old.flatMap(({ executionId }, place) => {
    const answer = answers[place];
    return answer ? [{ replayOf: executionId, answer }] : [];
  });
}

/**
 * Somebody else may replay an execution that was listed as not replayed before this one's rows are there. The key outlives
 * that race by far; its name is in none of the callers' namespaces.
 */
const onceFor = ({ executionId }: Execution): IdempotencyKey => ({
  key: `replay/${executionId}`,
  bodyHash: "replay",
});

function timeoutOf({ approval, deadlineAt, notBefore, createdAt }: Execution): number {
  const timeoutMs = approval?.timeoutMs ?? deadlineAt.getTime() - (notBefore ?? createdAt).getTime();
  return Math.min(Math.max(1, timeoutMs), EXECUTION_TIMEOUT_MS_MAX);
}
