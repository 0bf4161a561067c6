import { newExecutionId, type Asking, type EffectAnswer } from "@bulkhead/core";
import type { Cover } from "../secrets/cover.ts";
import { isUnasked, runApprovalCode } from "./approval-code.ts";
import { NEEDS_PERSON, notAllowed } from "./callable-tools.ts";
import type { NestedRun, NestedRunDeps } from "./nested-run.ts";
import { contextOf } from "./run-tool.ts";
import { depthOf, refusal, type HeldAttempt } from "./tool-calls.ts";

type Refused = Extract<EffectAnswer, { ok: false }>;

/**
 * Asks the called tool's own code whether a person has to allow the call: a refusal where it says so, since nobody can be
 * asked in the midst of a run, and null where the tool may run. What the code prints is told as the caller's.
 */
export async function whyPersonNeeded(
  deps: NestedRunDeps,
  caller: HeldAttempt,
  cover: Cover,
  { tool, argumentsJson, signal }: NestedRun,
): Promise<Refused | null> {
  const { tenantId, ceilings } = caller;
  const definition = await deps.findDefinition(tenantId, tool.id, tool.version);
  // What is gone meanwhile is refused where its run is recorded.
  if (definition?.approvalCode === undefined) return null;
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
  if (isUnasked(answered))
    return refusal("failed", `The tool "${tool.name}" could not be asked whether it may run; try again.`);
  return answered.asking && notAllowed(tool.name, `${NEEDS_PERSON}${whyOf(answered.asking)}`);
}

const whyOf = (asking: Asking): string =>
  asking.because === "failed"
    ? ` (its own code gave no answer: ${asking.message})`
    : ", as its own code says";
