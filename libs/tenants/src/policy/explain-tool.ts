import {
  BUILT_IN_TOOL_NAMES,
  META_TOOL_NAMES,
  type Asker,
  type TenantPrincipal,
  type ToolStatus,
  type ToolStore,
  Fault,
} from "@bulkhead/core";
import { verdictsBy, type PolicyTool, type Verdict } from "@bulkhead/policy";
import { listAgents, type AgentsDeps } from "./list-agents.ts";
import { getPolicy } from "./tenant-policy.ts";

export interface ToolForAgents {
  name: string;
  status: ToolStatus;
  /** For agents that are not known by name (null), then for each that is; of an agent's own tool for that one alone. */
  agents: { agentId: string | null; verdict: Verdict }[];
}

/** Whichever agent's it is. */
const OF_ALL = { agentId: null, seesAll: true } as const;

/** Tells of one tool, by its id or name, which agents get it and why. Throws `tool.not_found`. */
export async function explainTool(
  deps: AgentsDeps & { tools: Pick<ToolStore, "find"> },
  principal: TenantPrincipal,
  ref: string,
  asker: Omit<Asker, "agentId">,
): Promise<ToolForAgents> {
  const { name, status, tool, owner } = await findTool(deps, principal.tenantId, ref);
  const policy = await getPolicy(deps, principal);
  const known = owner === null ? await listAgents(deps, principal) : [];
  const named = known.flatMap(({ agentId }) => agentId ?? []);
  const agents = (owner === null ? [null, ...named] : [owner]).map((agentId) => {
    const verdict = verdictsBy(policy, agentId === null ? asker : { ...asker, agentId })(tool);
    return { agentId, verdict };
  });
  return { name, status, agents };
}

interface Found extends Pick<ToolForAgents, "name" | "status"> {
  tool: PolicyTool;
  /** The agent whose own it is. */
  owner: string | null;
}

async function findTool(
  { tools }: { tools: Pick<ToolStore, "find"> },
  tenantId: string,
  ref: string,
): Promise<Found> {
  const found = await tools.find(tenantId, ref, OF_ALL);
  if (found) return { name: found.name, status: found.status, tool: found, owner: found.agentId };
  const ours = [...BUILT_IN_TOOL_NAMES, ...META_TOOL_NAMES].find((name) => name === ref);
  if (ours === undefined)
    throw new Fault("tool.not_found", { detail: "There is no tool with this id or name." });
  return { name: ours, status: "active", tool: { name: ours }, owner: null };
}
