import type { File as WorkspaceFile } from "@bulkhead/client";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "./api.ts";

/** Whose files: the tenant's, an agent's, or a user's of either. */
export interface Workspace {
  agentId?: string | undefined;
  userId?: string | undefined;
}

/** The most that one page holds. */
const PAGE_SIZE = 200;

// No event tells of files: whoever comes back to the page sees what they are by then.
const LOOKED = { staleTime: 0, refetchOnWindowFocus: true } as const;

/** What lies in one folder, page by page: files, and folders with the number of files in them. */
export const useFolder = (workspace: Workspace, prefix: string) =>
  useInfiniteQuery({
    queryKey: ["files", "folder", workspace, prefix],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.files.list(
        { ...workspace, prefix, recursive: "false", limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    ...LOOKED,
  });

interface SearchAsked {
  /** A regular expression for lines; empty: files are found by their paths alone. */
  pattern: string;
  glob: string;
  ignoreCase: boolean;
}

/** Lines of files, or files by their paths. */
export const useFileSearch = (workspace: Workspace, path: string, asked: SearchAsked) =>
  useQuery({
    queryKey: ["files", "found", workspace, path, asked],
    queryFn: async ({ signal }) => {
      const { pattern, glob, ignoreCase } = asked;
      if (pattern === "") {
        const found = await api.files.glob({ pattern: glob, path }, workspace, { signal });
        return { kind: "files", ...found } as const;
      }
      const body = { pattern, path, ignoreCase, limit: LINES_MAX, ...(glob !== "" && { glob }) };
      return { kind: "lines", ...(await api.files.search(body, workspace, { signal })) } as const;
    },
    placeholderData: keepPreviousData,
    ...LOOKED,
  });

const LINES_MAX = 500;

/** A file with the versions of it that are kept. */
export const useFileVersions = (workspace: Workspace, path: string) =>
  useQuery({
    queryKey: ["files", "one", workspace, path],
    queryFn: async ({ signal }) => await api.files.versions({ ...workspace, path }, { signal }),
    ...LOOKED,
  });

/** Bytes of a file that the page reads; the rest is for a download. */
export const SHOWN_BYTES_MAX = 1024 * 1024;

/** The first bytes of a version, by its hash: what is read once stays so. */
export const useFileBytes = (
  workspace: Workspace,
  path: string,
  { version, etag, size }: Pick<WorkspaceFile, "version" | "etag" | "size">,
  isWanted = true,
) =>
  useQuery({
    queryKey: ["files", "bytes", workspace, path, version, etag],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      // The first of no bytes can't be asked for.
      if (size === 0) return new Uint8Array(0);
      const headers = size > SHOWN_BYTES_MAX ? { range: `bytes=0-${SHOWN_BYTES_MAX - 1}` } : {};
      return await api.files.read(path, { ...workspace, version }, { signal, headers });
    },
  });

/** All bytes of a file as it is now, and its tag. */
export async function readNow(
  workspace: Workspace,
  path: string,
): Promise<{ bytes: Uint8Array; etag: string }> {
  let etag = "";
  const bytes = await api.files.read(
    path,
    { ...workspace },
    {
      onResponse: ({ headers }) => (etag = (headers.get("etag") ?? "").replaceAll('"', "")),
    },
  );
  return { bytes, etag };
}

/** Where the browser downloads a file from by itself. */
export function downloadAddress({ agentId, userId }: Workspace, path: string, version?: number): string {
  const said = Object.entries({ agentId, userId, version }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
  const place = path.split("/").map(encodeURIComponent).join("/");
  return `/api/v1/files/${place}${query.size === 0 ? "" : `?${query.toString()}`}`;
}

/** What a save expects to find: a file with these bytes, none, or whatever there is. */
export type Expected = { etag: string } | "none" | "any";

export async function writeFile(
  workspace: Workspace,
  path: string,
  content: Uint8Array<ArrayBuffer> | string,
  expected: Expected,
) {
  const options =
    expected === "any" ? {} : expected === "none" ? { ifNoneMatch: "*" } : { ifMatch: `"${expected.etag}"` };
  return await api.files.write(path, content, { ...workspace }, options);
}

interface FileWork {
  write: { path: string; content: Uint8Array<ArrayBuffer> | string; expected: Expected };
  move: { from: string; to: string; overwrite: boolean };
  remove: { path: string; isFolder: boolean };
}

const WORK: {
  [Name in keyof FileWork]: (workspace: Workspace, asked: FileWork[Name]) => Promise<unknown>;
} = {
  write: (workspace, { path, content, expected }) => writeFile(workspace, path, content, expected),
  move: (workspace, asked) => api.files.move(asked, { ...workspace }),
  remove: (workspace, { path, isFolder }) =>
    api.files.delete(path, { ...workspace, recursive: isFolder ? "true" : "false" }),
};

/** Writes, moves or deletes; every list of files is looked at again afterwards. */
export function useFileWork<Name extends keyof FileWork>(name: Name, workspace: Workspace) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: FileWork[Name]) => WORK[name](workspace, asked),
    onSuccess: () => client.invalidateQueries({ queryKey: ["files"] }),
  });
}
