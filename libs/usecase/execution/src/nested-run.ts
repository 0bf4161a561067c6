import {
  announcingEventId,
  newExecutionId,
  type EffectAnswer,
  type Execution,
  type ExecutionStore,
  type NestedExecution,
} from "@bulkhead/domain";
import { AttemptLog } from "./attempt-log.ts";
import type { CallableTool } from "./callable-tools.ts";
import { endAttempt, endConvicted, type EndAttemptDeps } from "./end-attempt.ts";
import { findRunnable, type RunnableDeps } from "./find-runnable.ts";
import { nestedEnding } from "./nested-ending.ts";
import { runHeld, type HeldRunDeps } from "./run-held.ts";
import { answerWith, depthOf, refusal, type HeldAttempt } from "./tool-calls.ts";

export interface NestedRunDeps extends HeldRunDeps, EndAttemptDeps, RunnableDeps {
  executions: HeldRunDeps["executions"] & EndAttemptDeps["executions"] & Pick<ExecutionStore, "beginNested">;
  workerId: string;
}

/** What is called, how, and until when its answer is wanted. */
export interface NestedRun {
  tool: CallableTool;
  argumentsJson: string;
  signal: AbortSignal;
}

/** Runs a tool for a caller that waits, as an execution of its own, and answers what the caller hears of its end. */
export async function runNested(
  deps: NestedRunDeps,
  caller: HeldAttempt,
  { tool, argumentsJson, signal }: NestedRun,
): Promise<EffectAnswer> {
  if (signal.aborted) return refusal("aborted", "The call was given up.");
  const row = rowOf(deps.clock(), caller, tool, argumentsJson);
  const begun = await deps.executions.beginNested(row, deps.workerId, deps.leaseMs);
  if (begun === "caller_gone") return refusal("aborted", "The execution has ended.");
  if (begun === "not_active")
    return refusal("tool_not_found", `The tool "${tool.name}" was disabled or deleted meanwhile.`);
  const held: HeldAttempt = {
    ...row,
    attempt: 1,
    byAgent: caller.byAgent,
    callers: [...caller.callers, caller.toolId],
    tree: caller.tree,
    callerGone: signal,
    // The caller's slot is theirs both: the caller waits.
    slot: null,
  };
  return toAnswer(tool.name, await seeThrough(deps, held));
}

function rowOf(
  createdAt: Date,
  caller: HeldAttempt,
  tool: CallableTool,
  argumentsJson: string,
): NestedExecution {
  const { tenantId, executionId, attempt, context, deadlineAt } = caller;
  return {
    tenantId,
    executionId: newExecutionId(createdAt),
    parent: { tenantId, executionId, attempt },
    depth: depthOf(caller) + 1,
    toolId: tool.id,
    toolName: tool.name,
    toolVersion: tool.version,
    argumentsJson,
    context,
    createdAt,
    deadlineAt,
    idempotent: tool.idempotent,
  };
}

/** Null where someone else ended it. */
async function seeThrough(deps: NestedRunDeps, first: HeldAttempt): Promise<Execution | null> {
  const { executionId, attempt } = first;
  const firstLog = new AttemptLog(deps, first);
  const at = deps.clock().toISOString();
  firstLog.send({ type: "execution.queued", id: announcingEventId(attempt), executionId, attempt, at });
  const stored = { ...first, toolStatus: "active", inlineTool: null } as const;
  const { tool, refusal: refused } = await findRunnable(deps, stored);
  const { ran, held, log, convicted } = tool
    ? await runHeld(deps, first, tool, firstLog)
    : { ran: { refused }, held: first, log: firstLog, convicted: false };
  const ending = nestedEnding(ran);
  if (ending === null) return null;
  return (convicted ? endConvicted : endAttempt)(deps, held, ending, log);
}

function toAnswer(name: string, ended: Execution | null): EffectAnswer {
  if (ended === null) return refusal("tool_failed", `The tool "${name}" was ended from outside.`);
  if (ended.error === null) return answerWith(JSON.stringify(ended.result));
  const { code, message } = ended.error;
  return refusal("tool_failed", `The tool "${name}" ended with ${code}: ${message}`);
}
