import type { AskerOptions, ListToolDefinitionsQuery } from "@bulkhead/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { useKeys } from "./keys.ts";
import { useIsOwner } from "./session.ts";

/** The most that a page holds. */
const PAGE_SIZE = 200;

/** Agents that keys, the policy or tools of their own name, with what each has. */
export const useAgents = () =>
  useQuery({
    queryKey: ["policy", "agents"],
    queryFn: ({ signal }) => Array.fromAsync(api.agents.list({ limit: PAGE_SIZE }, { signal })),
    // No event tells of a key's use: whoever comes back sees it.
    staleTime: 0,
  });

/** The keys of agents; none for whoever may not see keys. */
export function useAgentKeys() {
  const isOwner = useIsOwner();
  const keys = useKeys(isOwner);
  return { ...keys, isHidden: !isOwner, keys: keys.data?.filter(({ role }) => role === "agent") ?? [] };
}

/** The ids of agents, as far as they are known by now. */
export const useAgentIds = (): readonly string[] => (useAgents().data ?? []).flatMap(({ id }) => id ?? []);

/** Tools of an agent's own that are shown. */
const OWN_TOOLS_MAX = 100;

/** The latest of the agent's own tools, and how many there are; not asked where there is no id. */
export const useOwnTools = (agentId: string | undefined) =>
  useQuery({
    queryKey: ["tools", "own", agentId],
    enabled: agentId !== undefined,
    queryFn: async ({ signal }) => await api.tools.list({ agentId, limit: OWN_TOOLS_MAX }, { signal }),
  });

export type DefinitionsQuery = ListToolDefinitionsQuery & Pick<AskerOptions, "provider" | "group">;

/** The tools, or the meta-tools, as a model of this asker gets them. */
export const useDefinitions = (
  kind: "tools" | "meta",
  { provider, group, userId, ...query }: DefinitionsQuery,
) =>
  useQuery({
    queryKey: ["tools", "definitions", kind, query, provider, group, userId],
    queryFn: async ({ signal }) => {
      const options = { signal, provider, group };
      return kind === "meta"
        ? await api.metaTools.definitions(query, { ...options, user: userId })
        : await api.tools.definitions({ ...query, userId }, options);
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
