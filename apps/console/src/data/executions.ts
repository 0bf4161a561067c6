import type { ListExecutionsQuery } from "@bulkhead/client";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";
import { useHeard } from "./live.ts";

const PAGE_SIZE = 60;
const HEARD_PAUSE_MS = 300;

export type ExecutionFilters = Omit<ListExecutionsQuery, "limit" | "cursor">;

/** Which executions are asked for. */
export interface Asked {
  filters: ExecutionFilters;
  /** Those of the last so many milliseconds, whenever it is asked; in place of `from`. */
  lastMs?: number;
}

/** The filters as the API takes them at this moment. */
export const filtersNow = ({ filters, lastMs }: Asked, now = Date.now()): ExecutionFilters =>
  lastMs === undefined ? filters : { ...filters, from: new Date(now - lastMs).toISOString() };

export const listKey = (asked: Asked) => ["execution-list", asked] as const;

/** The newest that match. */
export const readNewest = async (asked: Asked, signal?: AbortSignal) =>
  await api.executions.list({ ...filtersNow(asked), limit: PAGE_SIZE }, { signal });

/** The executions that match, page by page, newest first; what comes meanwhile is put on top by `useTail`. */
export const useExecutions = (asked: Asked) =>
  useInfiniteQuery({
    queryKey: listKey(asked),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.executions.list({ ...filtersNow(asked), limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // What is not on the page is not kept true.
    gcTime: 0,
  });

/** Only while it is looked at it is kept true, so whoever comes back looks again. */
export const LOOK_AGAIN = { staleTime: 0 } as const;

/** One execution, its tries, deliveries and calls stand under one key, and are kept true by its events. */
export function useExecution(id: string) {
  const client = useQueryClient();
  useHeard(async (heard) => {
    const isChanged = heard.some(
      (one) =>
        one === null ||
        ("executionId" in one.data && one.data.executionId === id) ||
        ("parentId" in one.data && one.data.parentId === id),
    );
    if (isChanged) await client.invalidateQueries({ queryKey: ["execution", id] });
  }, HEARD_PAUSE_MS);
  return useQuery({
    ...LOOK_AGAIN,
    queryKey: ["execution", id, "record"],
    queryFn: ({ signal }) => api.executions.get(id, { signal }),
  });
}

/** With false they are not asked for: the record tells of the only one. */
export const useAttempts = (id: string, isWanted = true) =>
  useQuery({
    ...LOOK_AGAIN,
    enabled: isWanted,
    queryKey: ["execution", id, "attempts"],
    queryFn: async ({ signal }) => (await api.executions.attempts(id, { signal })).attempts,
  });

export const useDeliveries = (id: string) =>
  useQuery({
    ...LOOK_AGAIN,
    queryKey: ["execution", id, "deliveries"],
    queryFn: async ({ signal }) => (await api.executions.deliveries(id, { signal })).deliveries,
  });

/** The latest executions of a tool, to choose one of. */
export const useRunsOf = (tool: string, limit: number) =>
  useQuery({
    queryKey: ["executions", "of", tool, limit],
    queryFn: async ({ signal }) => (await api.executions.list({ tool, limit }, { signal })).executions,
  });
