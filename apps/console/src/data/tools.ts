import type { Tool, ListToolsQuery } from "@bulkhead/client";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 60;

export type ToolFilters = Pick<ListToolsQuery, "status" | "createdBy" | "search" | "sort" | "category">;

/** The tools that match, page by page; the server filters, searches and sorts. */
export const useTools = (filters: ToolFilters) =>
  useInfiniteQuery({
    queryKey: ["tools", "list", filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.tools.list({ ...filters, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The first tools that match some words; none without words. */
export const useFoundTools = (search: string, limit: number) =>
  useQuery({
    queryKey: ["tools", "found", search, limit],
    enabled: search !== "",
    queryFn: async ({ signal }) => (await api.tools.list({ search, limit }, { signal })).tools,
  });

export const useToolStats = () =>
  useQuery({ queryKey: ["tools", "stats"], queryFn: ({ signal }) => api.tools.stats({}, { signal }) });

/** What can be done to tools in lists, by the name of its method. */
export type ToolAction = "enable" | "disable" | "approve" | "reject" | "delete";

const ACTIONS: Readonly<Record<ToolAction, (id: string) => Promise<unknown>>> = {
  enable: (id) => api.tools.enable(id),
  disable: (id) => api.tools.disable(id),
  approve: (id) => api.tools.approve(id, {}),
  reject: (id) => api.tools.reject(id, {}),
  delete: (id) => api.tools.delete(id),
};

/** Does one thing to several tools, one after another; tells which it failed for, and why. */
export function useToolAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, tools }: { action: ToolAction; tools: readonly Tool[] }) => {
      const failed: { tool: Tool; error: unknown }[] = [];
      for (const tool of tools) {
        await ACTIONS[action](tool.id).catch((error: unknown) => failed.push({ tool, error }));
      }
      return failed;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["tools"] }),
  });
}

export const useTool = (id: string) =>
  useQuery({ queryKey: ["tools", "one", id], queryFn: ({ signal }) => api.tools.get(id, { signal }) });
