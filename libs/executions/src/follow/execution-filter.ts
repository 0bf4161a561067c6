import type { ExecutionFilters } from "@bulkhead/contracts";
import { compact, onlyAgentOf, type ExecutionFilter, type TenantPrincipal } from "@bulkhead/core";
import { toolFilter, type ToolFilterDeps } from "./tool-filter.ts";

const dateOf = (at: string | undefined): Date | undefined => (at === undefined ? undefined : new Date(at));

/**
 * The filter that was asked for, within what the key sees; null where there is nothing of both: an agent's key that asks for
 * another agent.
 */
export async function readFilter(
  deps: ToolFilterDeps,
  principal: TenantPrincipal,
  asked: ExecutionFilters,
): Promise<ExecutionFilter | null> {
  const { tool, status, code, keyId, agentId, from, to, ...same } = asked;
  const only = onlyAgentOf(principal);
  if (only !== null && agentId !== undefined && agentId !== only) return null;
  const renamed = {
    statuses: status,
    errorCode: code,
    requestedBy: keyId,
    from: dateOf(from),
    to: dateOf(to),
  };
  return {
    ...(await toolFilter(deps, principal, tool)),
    ...compact({ ...same, ...renamed, agentId: only ?? agentId }),
  };
}
