import type { TenantPrincipal, Tool, ToolFilter, ToolStore } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";

/** What a tool that is not there, and one that may not be seen, are both answered with. */
export const noSuchTool = () =>
  new Fault("tool.not_found", {
    detail: "There is no tool with this id or name; GET /api/v1/custom-tools lists yours.",
  });

/** `ref` is an id or a name. Throws `tool.not_found`. */
export async function getTool(
  deps: { tools: Pick<ToolStore, "find"> },
  principal: TenantPrincipal,
  ref: string,
): Promise<Tool> {
  const tool = await deps.tools.find(principal.tenantId, ref);
  if (!tool) throw noSuchTool();
  return tool;
}

/** Newest first; `count` is of all that match, whatever the page. */
export async function listTools(
  deps: { tools: Pick<ToolStore, "list"> },
  principal: TenantPrincipal,
  filter: ToolFilter,
): Promise<{ tools: Tool[]; count: number }> {
  return deps.tools.list(principal.tenantId, filter);
}
