import type { TenantPrincipal } from "../tenant/principal.ts";
import { namesOf, type Tool } from "./tool.ts";

/** The length of an agent's id, in UTF-16 units. */
export const AGENT_ID_CHARS_MAX = 200;

/** Tells which of a tenant's tools somebody sees, and which one a name stands for. */
export interface ToolScope {
  /** The agent whose tools a name is looked up among before the tenant's; null: among the tenant's alone. */
  agentId: string | null;
  /** People see the tools of every agent, in lists and by id. For an agent, those of others do not exist. */
  seesAll: boolean;
  /** In lists and searches: the ids of the tools that are there; unset: of all. */
  only?: readonly string[];
}

/** An agent's key is for its own agent, or for none, whatever a request says; a person's is for the one that it names. */
export const agentOf = (
  { role, agentId }: Pick<TenantPrincipal, "role" | "agentId">,
  said: string | undefined,
): string | null => (role === "agent" ? agentId : (said ?? null));

/** The scope of a key; `said` is the agent that its request names. */
export const scopeOf = (principal: Pick<TenantPrincipal, "role" | "agentId">, said?: string): ToolScope => ({
  agentId: agentOf(principal, said),
  seesAll: principal.role !== "agent",
});

/** Whether what belongs to an agent, or with null to the tenant, is there in the scope; undefined: nobody knows whose it is. */
export const isThereIn = (scope: ToolScope, agentId: string | null | undefined): boolean =>
  scope.seesAll || agentId === null || (agentId !== undefined && agentId === scope.agentId);

/** The scope of an agent; null: the tools that every agent sees. */
export const scopeOfAgent = (agentId: string | null): ToolScope => ({ agentId, seesAll: false });

/** Names a look-up in caches. An agent's id is any text, so no separator keeps two look-ups apart. */
export const lookupKey = (tenantId: string, { agentId, seesAll }: ToolScope, ref: string): string =>
  JSON.stringify([tenantId, ref, agentId, seesAll]);

/** Caches drop entries with this tag when an agent's tool takes a name or an alias: it may hide another tool that has it. */
export const nameTag = (tenantId: string, name: string): string => `${tenantId}/${name}`;

/**
 * Tags that revoke a look-up's answer: changes of the tool and, while the agent has no tool of its name or its alias, one
 * that takes it.
 */
export const lookupTags = (
  tool: Pick<Tool, "id" | "tenantId" | "name" | "alias" | "agentId">,
  scope: ToolScope,
): string[] =>
  tool.agentId === scope.agentId
    ? [tool.id]
    : [tool.id, ...namesOf(tool).map((name) => nameTag(tool.tenantId, name))];
