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
  type Timings,
} from "@bulkhead/core";
import { within, type TraceSpan } from "@bulkhead/process/telemetry";
import type { Killed } from "./approval-code.ts";
import { killedRun } from "./ask-tool.ts";
import { AttemptLog } from "./attempt-log.ts";
import type { CallableTool } from "./callable-tools.ts";
import { billLate, endAttempt, type EndAttemptDeps } from "./end-attempt.ts";
import { findRunnable, type RunnableDeps } from "./find-runnable.ts";
import { failed, NO_USAGE, type Ran } from "./judge.ts";
import { neverRun, runTool, type RunToolDeps, type ToolRun } from "./run-tool.ts";
import { roundMs, serverTimings } from "./stopwatch.ts";
import type { Cover } from "../secrets/cover.ts";
import { answerWith, depthOf, refusal, type HeldAttempt } from "./tool-calls.ts";

export interface NestedRunDeps extends RunToolDeps, EndAttemptDeps, RunnableDeps {
  executions: RunToolDeps["executions"] & EndAttemptDeps["executions"] & Pick<ExecutionStore, "beginNested">;
  workerId: string;
}

/** A call of a tool by a tool, with the signal that fires when its answer is not wanted any more. */
export interface NestedRun {
  tool: CallableTool;
  argumentsJson: string;
  signal: AbortSignal;
  /** How the call ends, of which nothing runs any more: the tool's own code has killed its process when it was asked. */
  killed?: Killed | null;
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
  { tool, argumentsJson, signal, killed = null }: NestedRun,
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
    policyVersion: caller.policyVersion,
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
  return toAnswer(tool.name, await seeThrough(deps, held, killed));
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
    // Where nothing of its caller is kept, nothing of it is: its arguments may hold the caller's.
    retention: keepsNothing(caller.retention)
      ? NOTHING_KEPT
      : retentionOf(tool.retention, caller.tenantRetention),
  };
}

/** Null where someone else ended it. */
async function seeThrough(
  deps: NestedRunDeps,
  first: HeldAttempt,
  killed: Killed | null,
): Promise<Execution | null> {
  const { executionId, attempt } = first;
  const firstLog = new AttemptLog(deps, first);
  const at = deps.clock().toISOString();
  firstLog.send({ type: "execution.queued", id: announcingEventId(attempt), executionId, attempt, at });
  const { ran, held, log, convicted } = killed
    ? killedRun(killed, UNBILLED, first, firstLog)
    : await runItsTool(deps, first, firstLog);
  if ("ending" in ran)
    return endAttempt(deps, held, { ...ran.ending, timings: timingsOf(ran) }, log, convicted);
  const bill = { usage: ran.used, timings: timingsOf(ran), endedBy: "worker" } as const;
  // An execution that another one's tool asked for has no queue to go back to: what stops it ends it.
  const end = STOPPED[ran.stopped];
  if (end !== null) return endAttempt(deps, held, { ...end, ...bill }, log, convicted);
  await billLate(deps, held, bill);
  return null;
}

/** The question is on its caller's bill. */
const UNBILLED = { used: NO_USAGE, bindMs: 0 };

async function runItsTool(deps: NestedRunDeps, held: HeldAttempt, log: AttemptLog): Promise<ToolRun> {
  try {
    const stored = { ...held, toolStatus: "active", inlineTool: null } as const;
    const { tool, refusal: refused } = await findRunnable(deps, stored);
    return tool ? await runTool(deps, held, tool, log) : neverRun(refused, held, log);
  } catch (error) {
    // Its row says that it runs, and nobody keeps its lease: left as it is, it would count as running until that is over.
    deps.report("a call of a tool by a tool could not be seen through", error);
    return neverRun(UNREAD, held, log);
  }
}

const STOPPED = {
  superseded: null,
  caller_gone: failed("cancelled", "execution.cancelled", "The execution that called the tool has ended."),
  shutdown: failed("lost", "execution.lost", "The worker stopped while the tool ran for another."),
  no_sandbox: failed("failed", "sandbox.crashed", "No sandbox process could be started."),
} as const;

function timingsOf(ran: Ran): Timings {
  // A call that was refused before it ran has no steps.
  if ("ending" in ran && ran.ending.endedBy === null) return {};
  const { wallMs } = "stopped" in ran ? ran.used : ran.ending.usage;
  return { bind: roundMs(ran.bindMs), run: roundMs(wallMs), ...serverTimings(ran) };
}

const UNREAD = failed("lost", "execution.lost", "What the run needs could not be read; call the tool again.");

function toAnswer(name: string, ended: Execution | null): EffectAnswer {
  if (ended === null) return refusal("tool_failed", `The tool "${name}" was ended from outside.`);
  if (ended.error === null) return answerWith(stringifyJson(ended.result));
  const { code, message } = ended.error;
  return refusal("tool_failed", `The tool "${name}" ended with ${code}: ${message}`);
}
