import type { CapabilityAnswer, CapabilityRun, JsonObject } from "@bulkhead/core";
import {
  findCalled,
  sightFor,
  whyNotApproved,
  type CallableDeps,
  type CallableTool,
} from "../../attempt/callable-tools.ts";

export type SchedulableDeps = Pick<CallableDeps, "policies" | "findTool">;

type Refused = Extract<CapabilityAnswer, { ok: false }>;

/**
 * The tool that the name stands for to the run, if the run could call it now: a tool may plan itself, since that is no circle of
 * calls. What each planned call may is looked at again when its time has come.
 */
export async function findSchedulable(
  deps: SchedulableDeps,
  run: CapabilityRun,
  ref: string,
  args: JsonObject,
): Promise<{ ok: true; tool: CallableTool } | Refused> {
  const tool = await findCalled(deps, run, ref);
  const sight = await sightFor(deps, run);
  if (tool === null || sight?.sees(tool) === false)
    return refused("tool_not_found", `There is no tool "${ref}" of the tenant's; schedules run no others.`);
  if (tool.status !== "active")
    return refused("tool_not_found", `The tool "${ref}" is ${tool.status}; only active tools are planned.`);
  return whyNotApproved(run, tool, args, sight) ?? { ok: true, tool };
}

const refused = (code: Refused["code"], message: string): Refused => ({ ok: false, code, message });
