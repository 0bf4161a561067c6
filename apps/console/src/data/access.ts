import type { ExplainPolicyAnswer } from "@bulkhead/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

export type Explained = ExplainPolicyAnswer["tools"][number];

/** As many tools as one answer explains. */
const TOOLS_AT_ONCE = 10_000;

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
