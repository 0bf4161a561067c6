import type { ExplainPolicyAnswer } from "@bulkhead/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { askersOf } from "./askers.ts";
import { useMe } from "./session.ts";

export type Explained = ExplainPolicyAnswer["tools"][number];

/** As many tools as one answer explains. */
const TOOLS_AT_ONCE = 10_000;

/** Who may ask for tools: agents with keys, which owners alone may list, and whom the policy names. */
export function useAskers() {
  const { tenant, key } = useMe();
  return useQuery({
    queryKey: ["policy", "askers"],
    // No event tells of a new policy or key: whoever comes back sees it.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const policy = await api.policy.get({ signal });
      const keyed: string[] = [];
      if (tenant !== null && key.role === "owner")
        for await (const { agentId } of api.apiKeys.list(tenant.id, { signal }))
          if (agentId !== undefined) keyed.push(agentId);
      return askersOf(policy, keyed);
    },
  });
}

/** What the policy says of one tool to who asks for it; null: such a tool is not there for them. */
export const useExplained = (tool: string, agentId: string | undefined, provider: string | undefined) =>
  useQuery({
    queryKey: ["policy", "explained", tool, agentId, provider],
    queryFn: async ({ signal }): Promise<Explained | null> => {
      const asker = { agentId, provider, limit: TOOLS_AT_ONCE };
      for await (const one of api.policy.explain(asker, { signal })) if (one.name === tool) return one;
      return null;
    },
  });
