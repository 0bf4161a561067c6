import { newExecutionId, type Asking, type EffectAnswer, type Usage } from "@bulkhead/core";
import type { Cover } from "../secrets/cover.ts";
import { isUnasked, runApprovalCode, type Killed } from "./approval-code.ts";
import { NEEDS_PERSON, notAllowed } from "./callable-tools.ts";
import { NO_USAGE } from "./judge.ts";
import type { NestedRun, NestedRunDeps } from "./nested-run.ts";
import { contextOf } from "./run-tool.ts";
import { depthOf, refusal, type HeldAttempt } from "./tool-calls.ts";

type Refused = Extract<EffectAnswer, { ok: false }>;

/** What came of asking a called tool's own code; the tool may run where the call is neither refused nor over. */
export interface AskedCall {
  /** What the question used: the caller's to pay, whose own time passes meanwhile, so of time it has none. */
  used: Usage;
  refused: Refused | null;
  killed: Killed | null;
}

const UNASKED: AskedCall = { used: NO_USAGE, refused: null, killed: null };

/**
 * Asks the called tool's own code whether a person has to allow the call: it is refused where the code says so, since
 * nobody can be asked in the midst of a run. What the code prints is told as the caller's.
 */
export async function askCalledTool(
  deps: NestedRunDeps,
  caller: HeldAttempt,
  cover: Cover,
  { tool, argumentsJson, signal }: NestedRun,
): Promise<AskedCall> {
  const { tenantId, ceilings } = caller;
  const definition = await deps.findDefinition(tenantId, tool.id, tool.version);
  // What is gone meanwhile is refused where its run is recorded.
  if (definition?.approvalCode === undefined) return UNASKED;
  // It is no execution: only the sandbox and the code itself hear of this id.
  const call = { tenantId, executionId: newExecutionId(deps.clock()) };
  const question = {
    ...call,
    toolId: tool.id,
    toolVersion: tool.version,
    code: definition.approvalCode,
    argumentsJson,
    contextJson: contextOf({ ...call, toolName: tool.name, context: caller.context }),
    depth: depthOf(caller) + 1,
    alone: false,
    ceilings,
  };
  const answered = await runApprovalCode(deps, question, cover, signal);
  const { asking, verdict, killed } = answered;
  const used = verdict === null ? NO_USAGE : { ...NO_USAGE, ...paid(verdict.usage) };
  if (killed !== null) return { used, refused: null, killed };
  const refused = isUnasked(answered)
    ? refusal("failed", `The tool "${tool.name}" could not be asked whether it may run; try again.`)
    : asking && notAllowed(tool.name, `${NEEDS_PERSON}${whyOf(asking)}`);
  return { used, refused, killed };
}

const paid = ({ cpuMs, memoryPeakMib }: Pick<Usage, "cpuMs" | "memoryPeakMib">) => ({ cpuMs, memoryPeakMib });

const whyOf = (asking: Asking): string =>
  asking.because === "failed"
    ? ` (its own code gave no answer: ${asking.message})`
    : ", as its own code says";
