import {
  scopeOf,
  scopeOfAgent,
  type TenantPrincipal,
  type Tool,
  type ToolCatalogue,
  type ToolScope,
  type ToolStore,
  Fault,
} from "@bulkhead/core";
import { isSeen, sightOf, type SaidOfAsker } from "@bulkhead/policy";

const NO_SUCH_TOOL = "There is no tool with this id or name; GET /api/v1/custom-tools lists yours.";
const AGENTS_TOOLS =
  "A name stands for the tenant's tool: an agent's own is found by its id, or in a call whose context names the agent (agentId).";

/** The answer for a missing tool, and for one that the caller may not see. */
export const noSuchTool = (): Fault => new Fault("tool.not_found", { detail: NO_SUCH_TOOL });

/**
 * `noSuchTool` with a hint, for principals that see all agents' tools, how those are found; the hint doesn't depend on the
 * request or on which tools exist.
 */
export const noSuchToolFor = (principal: TenantPrincipal): Fault =>
  scopeOf(principal).seesAll
    ? new Fault("tool.not_found", { detail: `${NO_SUCH_TOOL} ${AGENTS_TOOLS}` })
    : noSuchTool();

/**
 * `ref` is an id or a name; `said` is what the request says of who asks, its agent above all. Throws `tool.not_found`, also for a
 * tool outside the policy of who asks.
 */
export async function getTool(
  deps: { tools: Pick<ToolStore, "find"> },
  principal: TenantPrincipal,
  ref: string,
  said: SaidOfAsker = {},
): Promise<Tool> {
  const tool = await deps.tools.find(principal.tenantId, ref, scopeOf(principal, said.agentId));
  if (!tool || !isSeen(principal, said, tool)) throw noSuchToolFor(principal);
  return tool;
}

/** A scope, less what is outside the policy of who asks; its tools are read only where that says something. */
export async function seenScope(
  { catalogue }: { catalogue: Pick<ToolCatalogue, "names"> },
  principal: TenantPrincipal,
  scope: ToolScope,
  said: SaidOfAsker = {},
): Promise<ToolScope> {
  const sight = sightOf(principal, said);
  if (sight === null) return scope;
  const tools = await catalogue.names(principal.tenantId, scope);
  return { ...scope, only: tools.filter((tool) => sight.sees(tool)).map(({ id }) => id) };
}

/**
 * Whether the agent, or with null the tenant, has a tool of this name or alias, other than those with the ids `except`; an agent
 * may take one of the tenant's.
 */
export async function isNameTaken(
  deps: { tools: Pick<ToolStore, "find"> },
  { tenantId, agentId, name }: Pick<Tool, "tenantId" | "agentId" | "name">,
  except: readonly string[] = [],
): Promise<boolean> {
  const tool = await deps.tools.find(tenantId, name, scopeOfAgent(agentId));
  return tool !== null && tool.agentId === agentId && !except.includes(tool.id);
}
