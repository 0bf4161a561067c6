import type { ImportAnswer } from "@bulkhead/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { inParts } from "./tool-folders.ts";
import type { ImportSource } from "./read-files.ts";
import { api } from "./api.ts";

export type ImportedTool = ImportAnswer["tools"][number];

/** What becomes of tools that are there. */
export type Existing = "update" | "skip";

interface Import {
  source: ImportSource;
  existing: Existing;
  /** Only the plan: nothing is stored. */
  isPlan: boolean;
}

/** What an import does, or would do, to each folder; each stands on its own. */
async function importTools({ source, existing, isPlan }: Import): Promise<ImportedTool[]> {
  const terms = { mode: "each", existing, dryRun: isPlan ? "true" : "false" } as const;
  if ("zip" in source) return (await api.tools.import(source.zip, terms)).tools;
  const tools: ImportedTool[] = [];
  for (const part of inParts(source.read.folders))
    tools.push(...(await api.tools.import({ tools: part }, terms)).tools);
  return tools;
}

export function useImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: importTools,
    onSuccess: (_tools, { isPlan }) =>
      isPlan ? undefined : client.invalidateQueries({ queryKey: ["tools"] }),
  });
}
