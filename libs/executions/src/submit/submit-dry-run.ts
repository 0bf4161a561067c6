import type { InlineTool, JsonObject, TenantPrincipal } from "@bulkhead/core";
import { Stopwatch } from "../attempt/stopwatch.ts";
import { beginSubmission, inSubmission } from "./submission-span.ts";
import { accept } from "./accept.ts";
import { buildDryRun, type NewCall } from "./build-execution.ts";
import { takeArguments } from "./take-arguments.ts";
import type { SubmitDeps, Submitted } from "./submit.ts";

export interface DryRun extends NewCall {
  toolName: string;
  parameters: JsonObject;
  /** Null: as the tenant's settings say. */
  applyDefaults: boolean | null;
  inlineTool: InlineTool;
}

/** It has no key, so that it repeats none. */
type Queued = Extract<Submitted, { repeated: false }>;

/** Accepts a run of a tool that is not stored. It counts for no tool's usage, and for the tenant's limits like any other. */
export async function submitDryRun(
  deps: SubmitDeps,
  principal: TenantPrincipal,
  asked: DryRun,
): Promise<Queued> {
  const { span, call } = beginSubmission(deps.tracing, principal, asked.toolName, asked);
  return inSubmission(span, () => submit(deps, principal, call));
}

async function submit(deps: SubmitDeps, principal: TenantPrincipal, call: DryRun): Promise<Queued> {
  const watch = new Stopwatch();
  const args = await takeArguments(deps, principal, `dry/${call.executionId}`, call, call.arguments);
  watch.lap("validate");
  const asTaken = { ...call, arguments: args };
  const execution = buildDryRun(deps.clock(), principal, asTaken, call.toolName, call.inlineTool);
  await accept(deps, principal, { execution, once: null }, watch);
  return {
    executionId: execution.executionId,
    status: "queued",
    deadlineAt: execution.deadlineAt,
    timings: watch.timings,
    repeated: false,
  };
}
