import type { TenantPrincipal } from "../tenant/principal.ts";

/**
 * The agent whose calls alone a key sees, with the calls that they made; null: all of the tenant's, as for people and for
 * agents' keys without an agent's id.
 */
export const onlyAgentOf = ({ role, agentId }: Pick<TenantPrincipal, "role" | "agentId">): string | null =>
  role === "agent" ? agentId : null;

/** `onlyAgentOf` as the narrowing of a page. */
export function onlySeenBy(principal: Pick<TenantPrincipal, "role" | "agentId">): { agentId?: string } {
  const agentId = onlyAgentOf(principal);
  return agentId === null ? {} : { agentId };
}

/** Whether a call that was made for `agentId`, or for none, is there for a key. */
export function seesCallOf(
  principal: Pick<TenantPrincipal, "role" | "agentId">,
  agentId: string | null | undefined,
): boolean {
  const only = onlyAgentOf(principal);
  return only === null || only === agentId;
}
