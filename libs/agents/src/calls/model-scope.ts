import {
  agentOf,
  scopeOfAgent,
  type TenantPrincipal,
  type Tool,
  type ToolScope,
  type ToolStore,
} from "@bulkhead/core";
import { noSuchTool } from "@bulkhead/tools";

/** The agent that a call's context names. */
export type ForAgent = { agentId?: string | undefined };

/**
 * The scope of a meta-tool: that of the agent it is called for, whichever key calls. A person's key that names no agent
 * works on the tenant's own tools.
 */
export const modelScopeOf = (principal: TenantPrincipal, { agentId }: ForAgent): ToolScope =>
  scopeOfAgent(agentOf(principal, agentId));

/** The tool that a meta-tool's call names, by name or id. Throws `tool.not_found`. */
export async function getNamedTool(
  { tools }: { tools: Pick<ToolStore, "find"> },
  principal: TenantPrincipal,
  { name, context }: { name: string; context: ForAgent },
): Promise<Tool> {
  const tool = await tools.find(principal.tenantId, name, modelScopeOf(principal, context));
  if (!tool) throw noSuchTool();
  return tool;
}
