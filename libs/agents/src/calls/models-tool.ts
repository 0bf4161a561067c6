import { type TenantPrincipal, type Tool, Fault } from "@bulkhead/core";
import type { ToolDeps } from "@bulkhead/tools";
import { getNamedTool, type ForAgent } from "./model-scope.ts";

/** The tool, if a model made it. Throws `tool.not_found`, or for every caller `tool.made_by_user`. */
export async function getModelsTool(
  deps: Pick<ToolDeps, "tools">,
  principal: TenantPrincipal,
  call: { name: string; context: ForAgent },
  deed: { what: string; how: string },
): Promise<Tool> {
  const tool = await getNamedTool(deps, principal, call);
  if (tool.createdBy === "llm") return tool;
  throw new Fault("tool.made_by_user", {
    detail: `A person made the tool ${tool.name}, so a model can't ${deed.what} it. Ask the user to do it: ${deed.how}/api/v1/custom-tools/${tool.id}.`,
  });
}
