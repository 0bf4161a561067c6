import { scopeOf, TOOL_ID, type TenantPrincipal, type ToolStore } from "@bulkhead/core";

export interface ToolFilterDeps {
  tools: Pick<ToolStore, "find">;
}

/** Filters by id where there is such a tool: its executions are indexed by it, and include those from before a new name. */
export async function toolFilter(
  { tools }: ToolFilterDeps,
  principal: TenantPrincipal,
  ref: string | undefined,
): Promise<{ toolId?: string; toolName?: string }> {
  if (ref === undefined) return {};
  if (TOOL_ID.test(ref)) return { toolId: ref };
  const tool = await tools.find(principal.tenantId, ref, scopeOf(principal));
  return tool ? { toolId: tool.id } : { toolName: ref };
}
