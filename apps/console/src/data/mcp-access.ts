import type { DeleteMcpGrantQuery, ListMcpAccessRequestsQuery, PutMcpGrantBody } from "@bulkhead/client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { useMcpChange } from "./mcp-servers.ts";
import { useIsOwner } from "./session.ts";

export const useMcpGrants = (server: string) =>
  useQuery({
    queryKey: ["mcp", "grants", server],
    queryFn: async ({ signal }) => (await api.mcpServers.grants(server, { signal })).grants,
    staleTime: 0,
  });

const PAGE_SIZE = 50;

export type RequestFilters = Pick<ListMcpAccessRequestsQuery, "status" | "server">;

/** Wishes for servers' tools, the latest first. */
export const useMcpRequests = (filters: RequestFilters) =>
  useInfiniteQuery({
    queryKey: ["mcp", "requests", filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.mcpAccessRequests.list({ ...filters, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** How many wishes wait for this person, up to a hundred; nobody but an owner answers any. */
export function useWaitingRequests(): number {
  const isOwner = useIsOwner();
  const { data } = useQuery({
    queryKey: ["mcp", "requests", "waiting"],
    enabled: isOwner,
    queryFn: async ({ signal }) =>
      (await api.mcpAccessRequests.list({ status: "pending", limit: 100 }, { signal })).requests.length,
  });
  return data ?? 0;
}

export const usePutGrant = (server: string) =>
  useMcpChange((body: PutMcpGrantBody) => api.mcpServers.putGrant(server, body));

export const useDeleteGrant = (server: string) =>
  useMcpChange((grant: DeleteMcpGrantQuery) => api.mcpServers.deleteGrant(server, grant));

export interface Answered {
  id: string;
  isApproved: boolean;
  reason: string;
}

export const useAnswerRequest = () =>
  useMcpChange(({ id, isApproved, reason }: Answered) => {
    const body = reason === "" ? {} : { reason };
    return isApproved ? api.mcpAccessRequests.approve(id, body) : api.mcpAccessRequests.reject(id, body);
  });
