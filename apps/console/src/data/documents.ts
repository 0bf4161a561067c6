import type { DataDocument } from "@bulkhead/client";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "./api.ts";
import type { Workspace } from "./workspace-files.ts";

const PAGE_SIZE = 100;

// No event tells of data: whoever comes back to the page sees what it is by then.
const LOOKED = { staleTime: 0, refetchOnWindowFocus: true } as const;

/** The collections of the tenant, of all its agents and users, page by page. */
export const useCollections = () =>
  useInfiniteQuery({
    queryKey: ["documents", "collections"],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.data.collections({ everywhere: "true", limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    ...LOOKED,
  });

/** A collection, and whose it is. */
export interface Place {
  workspace: Workspace;
  collection: string;
}

interface DocumentsAsked {
  where?: string | undefined;
  orderBy?: string | undefined;
}

export const useDocuments = ({ workspace, collection }: Place, asked: DocumentsAsked) =>
  useInfiniteQuery({
    queryKey: ["documents", "found", workspace, collection, asked],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.data.query(
        collection,
        { ...workspace, ...asked, limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    ...LOOKED,
  });

export const readDocument = async (
  { workspace, collection }: Place,
  id: string,
  signal?: AbortSignal,
): Promise<DataDocument> => await api.data.get(collection, id, { ...workspace }, { signal });

export const useDocument = (place: Place, id: string) =>
  useQuery({
    queryKey: ["documents", "one", place, id],
    queryFn: ({ signal }) => readDocument(place, id, signal),
    ...LOOKED,
  });

interface Written {
  id: string;
  value: unknown;
  ttlSeconds: number | undefined;
  /** The version that was seen; null: there must be none. */
  version: number | null;
}

export function useWriteDocument({ workspace, collection }: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, value, ttlSeconds, version }: Written) =>
      api.data.put(
        collection,
        id,
        { value, ttlSeconds },
        { ...workspace },
        version === null ? { ifNoneMatch: "*" } : { ifMatch: `"${version}"` },
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["documents"] }),
  });
}

export function useDeleteDocument({ workspace, collection }: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version }: Pick<DataDocument, "id" | "version">) =>
      api.data.delete(collection, id, { ...workspace }, { ifMatch: `"${version}"` }),
    onSuccess: (_answer, { id }) =>
      client.invalidateQueries({
        queryKey: ["documents"],
        // What is gone is not asked for again, on a page that shows it for a moment yet.
        predicate: ({ queryKey }) => !(queryKey[1] === "one" && queryKey[3] === id),
      }),
  });
}
