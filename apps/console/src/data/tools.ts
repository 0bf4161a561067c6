import type { Tool, ListToolsQuery } from "@bulkhead/client";
import {
  keepPreviousData,
  type Query,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import { api } from "./api.ts";

const PAGE_SIZE = 60;

export type ToolFilters = Pick<ListToolsQuery, "status" | "createdBy" | "search" | "sort" | "category">;

/** Whether all that wait are asked for, and nothing narrower: newer versions of active tools wait too. */
const isAllPending = ({ status, createdBy, search, category }: ToolFilters): boolean =>
  status === "pending_approval" && (createdBy ?? search ?? category) === undefined;

/** The tools that match, page by page; the server filters, searches and sorts. */
export const useTools = (filters: ToolFilters) =>
  useInfiniteQuery({
    queryKey: ["tools", "list", filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = { limit: PAGE_SIZE, cursor: pageParam };
      return isAllPending(filters)
        ? await api.tools.pending(page, { signal })
        : await api.tools.list({ ...filters, ...page }, { signal });
    },
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
  useQuery({
    queryKey: ["tools", "stats"],
    queryFn: ({ signal }) => api.tools.stats({ include: ["categories", "rejected"] }, { signal }),
  });

/** What can be done to tools in lists, by the name of its method. */
export type ToolAction = "enable" | "disable" | "approve" | "reject" | "delete";

const ACTIONS: Readonly<Record<ToolAction, (id: string) => Promise<unknown>>> = {
  enable: (id) => api.tools.enable(id),
  disable: (id) => api.tools.disable(id),
  approve: (id) => api.tools.approve(id, {}),
  reject: (id) => api.tools.reject(id, {}),
  delete: (id) => api.tools.delete(id),
};

/** How far a change of several tools is, and for which it failed. */
export interface ToolWork {
  action: ToolAction;
  done: number;
  of: number;
  failed: readonly { tool: Tool; error: unknown }[];
}

/** Does one thing to several tools, one after another; tells how far it is, which it failed for, and why. */
export function useToolAction() {
  const client = useQueryClient();
  const [work, setWork] = useState<ToolWork | null>(null);
  const mutation = useMutation({
    mutationFn: async ({ action, tools }: { action: ToolAction; tools: readonly Tool[] }) => {
      let now: ToolWork = { action, done: 0, of: tools.length, failed: [] };
      setWork(now);
      for (const tool of tools) {
        const fault = await ACTIONS[action](tool.id).then(
          () => [],
          (error: unknown) => [{ tool, error }],
        );
        now = { ...now, done: now.done + 1, failed: [...now.failed, ...fault] };
        setWork(now);
      }
      return now.failed;
    },
    onSettled: (failed = [], _error, { action, tools }) => {
      const kept = new Set(failed.map(({ tool }) => tool.id));
      const gone = new Set(action === "delete" ? tools.flatMap(({ id }) => (kept.has(id) ? [] : [id])) : []);
      // What is gone is not asked for again, on a page that shows it for a moment yet.
      const predicate = ({ queryKey: [, what, id] }: Query): boolean =>
        what !== "one" || !gone.has(id as string);
      return client.invalidateQueries({ queryKey: ["tools"], predicate });
    },
  });
  return { ...mutation, work };
}

export const useTool = (id: string) =>
  useQuery({ queryKey: ["tools", "one", id], queryFn: ({ signal }) => api.tools.get(id, { signal }) });

/** The tools that come with the platform, with what each needs and whether it works here. */
export const useBuiltInTools = () =>
  useQuery({
    queryKey: ["tools", "built-in"],
    queryFn: async ({ signal }) => (await api.tools.builtIn({ signal })).tools,
  });
