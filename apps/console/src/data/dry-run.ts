import type { Tool, ToolVersionEvidence } from "@bulkhead/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

export type DryRun = ToolVersionEvidence["dryRuns"][number];

/** Tries a tool out with every effect refused, and waits for its end. It stands in the version's evidence from then on. */
export function useDryRun(tool: Pick<Tool, "id" | "version">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (args: Record<string, unknown>): Promise<DryRun> => {
      const begun = newestOf(await api.versions.addEvidence(tool.id, tool.version, { arguments: args }));
      // Its events are followed for their end alone, which the evidence then shows with what the run reached for.
      for await (const _event of api.executions.events(begun.executionId));
      const { dryRuns } = await api.versions.evidence(tool.id, tool.version);
      return dryRuns.find(({ executionId }) => executionId === begun.executionId) ?? begun;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["tools", "evidence", tool.id] }),
  });
}

function newestOf({ dryRuns }: ToolVersionEvidence): DryRun {
  const [newest] = [...dryRuns].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  if (newest === undefined) throw new Error("The dry run that was begun is not there.");
  return newest;
}
