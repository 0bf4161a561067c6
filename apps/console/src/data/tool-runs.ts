import type { ListExecutionsQuery } from "@bulkhead/client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 50;

export type RunStatus = NonNullable<ListExecutionsQuery["status"]>[number];

/** A tool's runs, newest first, page by page. */
export const useToolRuns = (tool: string, status: RunStatus | undefined) =>
  useInfiniteQuery({
    queryKey: ["executions", "of-tool", tool, status],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { tool, limit: PAGE_SIZE, cursor: pageParam };
      return await api.executions.list({ ...query, status: status && [status] }, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
