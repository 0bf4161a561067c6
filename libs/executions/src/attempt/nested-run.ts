import {
  stringifyJson,
  announcingEventId,
  keepsNothing,
  newExecutionId,
  NOTHING_KEPT,
  retentionOf,
  type EffectAnswer,
  type Execution,
  type ExecutionStore,
  type NestedExecution,
} from "@bulkhead/core";
import { within, type TraceSpan } from "@bulkhead/process/telemetry";
import { AttemptLog } from "./attempt-log.ts";
import { billLate } from "./bill-late.ts";
import type { CallableTool } from "./callable-tools.ts";
import type { EndAttemptDeps } from "./end-attempt.ts";
import { findRunnable, type RunnableDeps } from "./find-runnable.ts";
import { failed, type Judged } from "./judge.ts";
import { nestedBill, nestedEnding } from "./nested-ending.ts";
import { runHeld, type HeldRunDeps } from "./run-held.ts";
import type { Cover } from "../secrets/cover.ts";
import { persistEnd } from "./persist-end.ts";
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
  cover: Cover,
  run: NestedRun,
): Promise<EffectAnswer> {
  const attributes = { "bulkhead.tenant.id": caller.tenantId, "bulkhead.tool.name": run.tool.name };
  const span = caller.span.begin("call tool", { attributes });
  return within(span, () => beginAndRun(deps, caller, cover, run, span), {
    answered: (answer) => (answer.ok ? null : answer.code),
    threw: () => "failed",
  });
}

async function beginAndRun(
  deps: NestedRunDeps,
  caller: HeldAttempt,
  cover: Cover,
  { tool, argumentsJson, signal }: NestedRun,
  span: TraceSpan,
): Promise<EffectAnswer> {
  if (signal.aborted) return refusal("aborted", "The call was given up.");
  // The callee is given what its caller says; the row, and who reads it, is not.
  const row = rowOf(deps.clock(), caller, tool, cover.json(argumentsJson));
  const leaseFrom = performance.now();
  const begun = await deps.executions.beginNested(row, deps.workerId, deps.leaseMs);
  if (begun === "caller_gone") return refusal("aborted", "The execution has ended.");
  if (begun === "not_active")
    return refusal("tool_not_found", `The tool "${tool.name}" was disabled or deleted meanwhile.`);
  const held: HeldAttempt = {
    ...row,
    argumentsJson,
    attempt: 1,
    scopeAgentId: tool.agentId,
    madeBy: tool.createdBy,
    byAgent: caller.byAgent,
    ceilings: caller.ceilings,
    approvals: caller.approvals,
    tenantRetention: caller.tenantRetention,
    applyDefaults: caller.applyDefaults,
    leaseFrom,
    claim: null,
    suspect: false,
    inlineTool: null,
    callers: [...caller.callers, caller.toolId],
    callerSecrets: cover.secrets,
    tree: caller.tree,
    callerGone: signal,
    span,
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
    // What its caller was given, and of which nothing is kept, is in its arguments too.
    retention: keepsNothing(caller.retention)
      ? NOTHING_KEPT
      : retentionOf(tool.retention, caller.tenantRetention),
  };
}

/** Null where someone else ended it. */
async function seeThrough(deps: NestedRunDeps, first: HeldAttempt): Promise<Execution | null> {
  const { executionId, attempt } = first;
  const firstLog = new AttemptLog(deps, first);
  const at = deps.clock().toISOString();
  firstLog.send({ type: "execution.queued", id: announcingEventId(attempt), executionId, attempt, at });
  const { ran, held, log, convicted } = await runOrRefuse(deps, first, firstLog);
  const ending = nestedEnding(ran);
  if (ending === null) {
    if ("stopped" in ran) await billLate(deps, held, nestedBill(ran));
    return null;
  }
  return persistEnd(deps, held, ending, log, convicted);
}

async function runOrRefuse(deps: NestedRunDeps, first: HeldAttempt, firstLog: AttemptLog) {
  const without = (refused: Judged) => ({ ran: { refused }, held: first, log: firstLog, convicted: false });
  try {
    const stored = { ...first, toolStatus: "active", inlineTool: null } as const;
    const { tool, refusal: refused } = await findRunnable(deps, stored);
    return tool ? await runHeld(deps, first, tool, firstLog) : without(refused);
  } catch (error) {
    // Its row says that it runs, and nobody keeps its lease: left as it is, it would count as running until that is over.
    deps.report("a call of a tool by a tool could not be seen through", error);
    return without(UNREAD);
  }
}

const UNREAD = failed("lost", "execution.lost", "What the run needs could not be read; call the tool again.");

function toAnswer(name: string, ended: Execution | null): EffectAnswer {
  if (ended === null) return refusal("tool_failed", `The tool "${name}" was ended from outside.`);
  if (ended.error === null) return answerWith(stringifyJson(ended.result));
  const { code, message } = ended.error;
  return refusal("tool_failed", `The tool "${name}" ended with ${code}: ${message}`);
}
