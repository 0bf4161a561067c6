import type { ToggleCustomToolCall } from "@bulkhead/contracts";
import type { TenantPrincipal } from "@bulkhead/core";
import { moveTool } from "@bulkhead/tools";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import { changedTool } from "./changed-tool.ts";
import { getNamedTool } from "./model-scope.ts";

/**
 * `toggle_custom_tool`. Throws `tool.not_found`, `tool.blocked`, `tool.transition_refused` (a waiting tool stays waiting)
 * and `auth.forbidden` for an agent that would undo the platform's protection of others.
 */
export async function callToggleTool(
  deps: MetaToolDeps,
  principal: TenantPrincipal,
  { enabled, ...call }: ToggleCustomToolCall,
) {
  const named = await getNamedTool(deps, principal, call);
  deps.metaToolGate.refuseBlocked(principal, {
    name: "toggle_custom_tool",
    arguments: { name: named.name, enabled },
  });
  const tool = await moveTool(deps, principal, named.id, enabled ? "enable" : "disable");
  return changedTool(tool, `The tool ${tool.name} is ${enabled ? "enabled and can be called" : "disabled"}.`);
}
