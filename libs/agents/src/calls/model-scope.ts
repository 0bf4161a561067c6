import {
  agentOf,
  scopeOfAgent,
  type TenantPrincipal,
  type Tool,
  type ToolScope,
  type ToolStore,
} from "@bulkhead/core";
import { isSeen, type SaidOfAsker } from "@bulkhead/policy";
import { noSuchTool, seenScope } from "@bulkhead/tools";

/** The fields of a call's context that say who asks. */
export type ForAgent = SaidOfAsker;

/**
 * The scope of a meta-tool: that of the agent it is called for, whichever key calls. A person's key that names no agent
 * works on the tenant's own tools.
 */
export const modelScopeOf = (principal: TenantPrincipal, { agentId }: ForAgent): ToolScope =>
  scopeOfAgent(agentOf(principal, agentId));

/** The same, less what is outside the policy of who asks. */
export const seenByModel = (
  { catalogue }: Parameters<typeof seenScope>[0],
  principal: TenantPrincipal,
  context: ForAgent,
): Promise<ToolScope> => seenScope({ catalogue }, principal, modelScopeOf(principal, context), context);

/** The tool that a meta-tool's call names, by name or id. Throws `tool.not_found`. */
export async function getNamedTool(
  { tools }: { tools: Pick<ToolStore, "find"> },
  principal: TenantPrincipal,
  { name, context }: { name: string; context: ForAgent },
): Promise<Tool> {
  const tool = await tools.find(principal.tenantId, name, modelScopeOf(principal, context));
  if (!tool || !isSeen(principal, context, tool)) throw noSuchTool();
  return tool;
}
