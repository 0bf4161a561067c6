import type { Tool, ToolVersionEvidence, ToolVersionSummary } from "@bulkhead/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 50;

/** A tool's versions, newest first, page by page. */
export const useVersions = (toolId: string) =>
  useInfiniteQuery({
    queryKey: ["tools", "versions", toolId],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.versions.list(toolId, { limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : Number(nextCursor)),
  });

/** What changed from one version to another; null: there is nothing to hold it against. */
export const useVersionDiff = (toolId: string, version: number, against: number | null) =>
  useQuery({
    queryKey: ["tools", "diff", toolId, version, against],
    enabled: against !== null,
    queryFn: ({ signal }) =>
      api.versions.diff(toolId, version, against === null ? {} : { against }, { signal }),
  });

/** What a version may do, what that is more than before, and how its dry runs went. */
export const useEvidence = (toolId: string, version: number) =>
  useQuery({
    queryKey: ["tools", "evidence", toolId, version],
    queryFn: ({ signal }) => api.versions.evidence(toolId, version, { signal }),
  });

/** A version's code, for where there is none before it. */
export const useVersion = (toolId: string, version: number) =>
  useQuery({
    queryKey: ["tools", "version", toolId, version],
    queryFn: ({ signal }) => api.versions.get(toolId, version, { signal }),
  });

export type VersionStep =
  | { step: "approve" | "restore"; version: Pick<ToolVersionSummary, "version" | "contentHash"> }
  | { step: "reject"; version: Pick<ToolVersionSummary, "version" | "contentHash">; reason: string }
  | { step: "try"; version: Pick<ToolVersionSummary, "version"> };

/** Decides about a version as it was reviewed, brings an old one back, or tries one out once more. */
export function useVersionStep(toolId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: VersionStep) => takeStep(toolId, wanted),
    onSettled: () => client.invalidateQueries({ queryKey: ["tools"] }),
  });
}

async function takeStep(toolId: string, wanted: VersionStep): Promise<Tool | ToolVersionEvidence> {
  const n = wanted.version.version;
  switch (wanted.step) {
    case "approve":
      return await api.versions.approve(toolId, n, { contentHash: wanted.version.contentHash });
    case "reject": {
      const { contentHash } = wanted.version;
      return await api.versions.reject(toolId, n, { contentHash, reason: wanted.reason || undefined });
    }
    case "restore":
      return await api.versions.restore(toolId, n);
    case "try":
      return await tryOut(toolId, n);
  }
}

/** Tries a version out, and waits until it has ended. */
async function tryOut(toolId: string, version: number): Promise<ToolVersionEvidence> {
  const { dryRuns } = await api.versions.addEvidence(toolId, version);
  for (const { executionId, status } of dryRuns)
    if (status === "queued" || status === "running")
      for await (const _event of api.executions.events(executionId));
  return await api.versions.evidence(toolId, version);
}
