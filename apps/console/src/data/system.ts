import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

// The administrator has no stream of events: what is shown is as old as the last look, and a button looks again.
const LOOKED = { staleTime: 0 } as const;

export const useSystem = () =>
  useQuery({ queryKey: ["system"], queryFn: ({ signal }) => api.system.get({ signal }), ...LOOKED });

export const useSystemLoad = () =>
  useQuery({ queryKey: ["system-load"], queryFn: ({ signal }) => api.system.load({ signal }), ...LOOKED });

const PAGE_SIZE = 100;

/** Every tenant of the platform, page by page. */
export const useTenants = () =>
  useInfiniteQuery({
    queryKey: ["tenants"],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.tenants.list({ limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    ...LOOKED,
  });
