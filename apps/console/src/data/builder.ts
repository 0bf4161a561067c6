import type { CreateToolBody, Tool, UpdateToolBody } from "@bulkhead/client";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

/** A tool as it was read, with the tag of its state. */
export interface SeenTool {
  tool: Tool;
  etag: string;
}

async function readTagged(read: (onResponse: (answer: Pick<Response, "headers">) => void) => Promise<Tool>) {
  let etag = "";
  const tool = await read(({ headers }) => void (etag = headers.get("etag") ?? ""));
  return { tool, etag };
}

export const readTool = (id: string, signal?: AbortSignal): Promise<SeenTool> =>
  readTagged((onResponse) => api.tools.get(id, { onResponse, signal }));

/** A tool as it is when somebody begins to write on it; what others change meanwhile does not change it under their hands. */
export const useSeenTool = (id: string | undefined) =>
  useQuery({
    queryKey: ["builder", "tool", id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => readTool(id as string, signal),
    // Each beginning looks anew.
    gcTime: 0,
  });

/** Makes a tool, or changes one that is as it was seen; gives what it is now. */
export function useSaveTool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: { create: CreateToolBody } | { seen: SeenTool; change: UpdateToolBody }) =>
      await readTagged((onResponse) =>
        "create" in wanted
          ? api.tools.create(wanted.create, { onResponse })
          : api.tools.update(wanted.seen.tool.id, wanted.change, { onResponse, ifMatch: wanted.seen.etag }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tools"] }),
  });
}

/** Folders by their names, as an import takes them, of which nothing is stored. */
export interface CheckedFolder {
  folder: Record<string, Record<string, unknown>>;
  /** Whether a tool of its name is the one that is written. */
  isThere: boolean;
}

/** What the server says of a draft: it does all that a creation does, and stores nothing. */
export const useCheck = (asked: CheckedFolder | null) =>
  useQuery({
    queryKey: ["builder", "check", asked],
    // Drafts are long and this is told at each drawing; the library would also lose what stands under the name `__proto__`.
    queryKeyHashFn: (key) => JSON.stringify(key),
    enabled: asked !== null,
    queryFn: async ({ signal }) => {
      const { folder, isThere } = asked as CheckedFolder;
      const terms = { mode: "each", existing: isThere ? "update" : "fail", dryRun: "true" } as const;
      return (await api.tools.import({ tools: folder }, terms, { signal })).tools;
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** What a tool's code sees, as declarations. */
export const useToolGlobals = () =>
  useQuery({
    queryKey: ["builder", "globals"],
    queryFn: ({ signal }) => api.tools.globals({}, { signal }),
  });

/** A model drafts, tries out and drafts again: that takes longer than other calls; milliseconds. */
const ASSIST_MS = 300_000;

/** Lets the model draft a tool; nothing of it is stored. */
export const useAssist = () =>
  useMutation({
    mutationFn: (asked: { prompt: string; signal: AbortSignal }) =>
      api.assist.tool(
        { prompt: asked.prompt, store: false },
        { signal: asked.signal, requestTimeoutMs: ASSIST_MS, retries: 0 },
      ),
  });
