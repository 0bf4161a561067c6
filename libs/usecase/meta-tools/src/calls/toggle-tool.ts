import type { ToggleCustomToolCall } from "@bulkhead/contracts";
import type { TenantPrincipal, Tool } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { moveTool } from "@bulkhead/registry";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import { changedTool } from "./changed-tool.ts";
import { getNamedTool } from "./model-scope.ts";

/**
 * `toggle_custom_tool`. Throws `tool.not_found`, `tool.transition_refused` (what waits for a person stays waiting) and
 * `auth.forbidden` for an agent that would undo what the platform did to protect others.
 */
export async function callToggleTool(
  deps: MetaToolDeps,
  principal: TenantPrincipal,
  { enabled, ...call }: ToggleCustomToolCall,
) {
  const named = await getNamedTool(deps, principal, call);
  if (enabled && principal.role === "agent") refuseIfPlatformDisabled(named);
  const tool = await moveTool(deps, principal, named.id, enabled ? "enable" : "disable");
  return changedTool(tool, `The tool ${tool.name} is ${enabled ? "enabled and can be called" : "disabled"}.`);
}

function refuseIfPlatformDisabled({ id, status, statusReason }: Tool): void {
  if (status !== "disabled" || statusReason === null) return;
  throw new Fault("auth.forbidden", {
    detail: `The platform disabled this tool: ${statusReason} Ask the user to look at it and to call POST /api/v1/custom-tools/${id}/enable.`,
  });
}
