import type { ExplainPolicyBody, PolicyDocument, PolicyDocumentInput, PutPolicy } from "@bulkhead/client";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The document in force, and the tag by which a save says that it was the one that was seen. */
export interface SeenPolicy {
  document: PolicyDocument;
  etag: string;
}

const KEY = ["policy", "document"];

export async function readPolicy(signal?: AbortSignal): Promise<SeenPolicy> {
  let etag = "";
  const document = await api.policy.get({
    signal,
    onResponse: ({ headers }) => (etag = headers.get("etag") ?? ""),
  });
  return { document, etag };
}

/** A save of an older one is refused. */
export const usePolicy = () => useQuery({ queryKey: KEY, queryFn: ({ signal }) => readPolicy(signal) });

interface SavedPolicy extends SeenPolicy {
  warnings: NonNullable<PutPolicy["warnings"]>;
}

/** Saves the document in the place of the one that was seen; refused with 412 where that is another by now. */
export function useSavePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ document, etag }: { document: PolicyDocumentInput; etag: string }) => {
      let next = "";
      const { warnings = [], ...saved } = await api.policy.put(document, {
        ifMatch: etag,
        onResponse: ({ headers }) => (next = headers.get("etag") ?? ""),
      });
      return { document: saved, etag: next, warnings } satisfies SavedPolicy;
    },
    onSuccess: async ({ document, etag }) => {
      client.setQueryData<SeenPolicy>(KEY, { document, etag });
      await Promise.all([
        client.invalidateQueries({ queryKey: ["policy", "explained"] }),
        client.invalidateQueries({ queryKey: ["tools"] }),
      ]);
    },
  });
}

export type PolicyAsker = Pick<
  ExplainPolicyBody,
  "agentId" | "userId" | "provider" | "group" | "subagentDepth"
>;

/** Tools that one look tells of at most; the server tells no more at a time. */
const EXPLAINED_MAX = 10_000;

/** Which tools the asker gets and why; with a document, what that would change. */
export const useExplained = (asker: PolicyAsker, policy: PolicyDocumentInput | undefined) =>
  useQuery({
    queryKey: ["policy", "explained", asker, policy],
    queryFn: async ({ signal }) =>
      await api.policy.explain({ ...asker, policy, limit: EXPLAINED_MAX }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Which agents get one tool, and why. */
export const useToolAccess = (tool: string, provider: string | undefined) =>
  useQuery({
    queryKey: ["policy", "explained", "tool", tool, provider],
    queryFn: ({ signal }) => api.policy.explainTool({ tool, provider }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
