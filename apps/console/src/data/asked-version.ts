import type { Tool, ToolVersionDiff, ToolVersionEvidence } from "@bulkhead/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

export interface AskedVersion {
  tool: Tool;
  evidence: ToolVersionEvidence;
}

/** The version of a tool that a call is for: whose it is, and what it can reach. */
export const useAskedVersion = (toolId: string, version: number) =>
  useQuery({
    queryKey: ["tools", "asked", toolId, version],
    queryFn: async ({ signal }): Promise<AskedVersion> => {
      const [tool, evidence] = await Promise.all([
        api.tools.get(toolId, { signal }),
        api.versions.evidence(toolId, version, { signal }),
      ]);
      return { tool, evidence };
    },
  });

export interface VersionChanges {
  /** The approved version before; null: there is none. */
  before: { version: number; createdAt: string } | null;
  diff: ToolVersionDiff | null;
}

/** What a version does otherwise than the approved one before it. */
export const useChanges = (toolId: string, version: number) =>
  useQuery({
    queryKey: ["tools", "changes", toolId, version],
    queryFn: async ({ signal }): Promise<VersionChanges> => {
      for await (const before of api.versions.list(toolId, { cursor: version }, { signal })) {
        if (before.version >= version || before.state !== "approved") continue;
        const diff = await api.versions.diff(toolId, version, { against: before.version }, { signal });
        return { before, diff };
      }
      return { before: null, diff: null };
    },
  });
