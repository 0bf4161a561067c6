import type { ApiKeyStore, PolicyStore, TenantPrincipal, ToolCatalogue } from "@bulkhead/core";
import { getPolicy } from "./tenant-policy.ts";

/** An agent that a tenant knows of, by what it has. */
export interface KnownAgent {
  /** Null: the agents whose keys name none. */
  agentId: string | null;
  keys: number;
  /** The last use of any of the keys. */
  lastUsedAt: Date | null;
  /** Whether the policy has lists of its own for it. */
  inPolicy: boolean;
  /** Tools that are its own. */
  tools: number;
}

export interface AgentsDeps {
  policies: PolicyStore;
  apiKeys: Pick<ApiKeyStore, "list">;
  catalogue: Pick<ToolCatalogue, "countOfAgents">;
}

/** Which of them: at most so many, those behind an id. */
interface AgentPage {
  after?: string;
  limit?: number;
}

/** Agents that have keys, lists in the policy or tools of their own, by their ids; those without an id come last. */
export async function listAgents(
  deps: AgentsDeps,
  principal: TenantPrincipal,
  { after, limit }: AgentPage = {},
): Promise<KnownAgent[]> {
  const { tenantId } = principal;
  const [{ document }, keys, owners] = await Promise.all([
    getPolicy(deps, principal),
    deps.apiKeys.list(tenantId),
    deps.catalogue.countOfAgents(tenantId),
  ]);
  const agents = new Map<string | null, KnownAgent>();
  const agent = (agentId: string | null): KnownAgent => {
    const known = agents.get(agentId) ?? { agentId, keys: 0, lastUsedAt: null, inPolicy: false, tools: 0 };
    agents.set(agentId, known);
    return known;
  };
  for (const { role, agentId, lastUsedAt } of keys) {
    if (role !== "agent") continue;
    const known = agent(agentId);
    known.keys += 1;
    if (lastUsedAt && (known.lastUsedAt === null || lastUsedAt > known.lastUsedAt))
      known.lastUsedAt = lastUsedAt;
  }
  for (const agentId of Object.keys(document.agents ?? {})) agent(agentId).inPolicy = true;
  for (const { agentId, count } of owners) agent(agentId).tools = count;
  const behind = ({ agentId: id }: KnownAgent): boolean => after === undefined || id === null || id > after;
  return [...agents.values()]
    .filter(behind)
    .toSorted((one, other) => {
      if (one.agentId === null || other.agentId === null) return one.agentId === null ? 1 : -1;
      return one.agentId < other.agentId ? -1 : 1;
    })
    .slice(0, limit);
}
