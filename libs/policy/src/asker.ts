import { agentOf, type Asker, type CallContext, type TenantPrincipal } from "@bulkhead/core";

/** The fields of a call's context that say who asks. */
export type SaidOfAsker = {
  [Field in "agentId" | "userId" | "provider" | "group" | "subagentDepth"]?: CallContext[Field] | undefined;
};

type Key = Pick<TenantPrincipal, "role" | "agentId" | "asks">;

/** Of a context that names an asker, what the request's headers say where it is silent; the context with it. */
export const withAsks = <C extends SaidOfAsker>({ asks }: Pick<Key, "asks">, context: C): C =>
  asks === undefined ? context : { ...asks, ...context };

/**
 * Who asks by a key: its agent, or the one that the request names. Null where a person asks for themselves, to whom no
 * policy speaks: a key that is no agent's, and that names neither an agent nor a user, a provider, a group or a depth.
 */
export function askerOf(key: Key, said: SaidOfAsker): Asker | null {
  const { agentId, ...rest } = withAsks(key, said);
  return asAsker(key.role === "agent", { ...rest, agentId: agentOf(key, agentId) ?? undefined });
}

/** Who asks within an execution: whoever made the call that it belongs to, as its context has kept it. */
export const askerOfCall = ({ byAgent, context }: { byAgent: boolean; context: SaidOfAsker }): Asker | null =>
  asAsker(byAgent, context);

function asAsker(
  byAgent: boolean,
  { agentId, userId, provider, group, subagentDepth }: SaidOfAsker,
): Asker | null {
  const asker: Asker = {
    ...(agentId === undefined ? {} : { agentId }),
    ...(provider === undefined ? {} : { provider }),
    ...(group === undefined ? {} : { group }),
    ...(subagentDepth === undefined ? {} : { subagentDepth }),
  };
  const user = userId === undefined ? {} : { userId };
  if (byAgent || Object.keys(asker).length > 0) return { ...asker, ...user };
  return userId === undefined ? null : { ...user, byPerson: true };
}
