import type { Approval } from "@bulkhead/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 100;
const FIRST_PAGE = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
};

/** Calls of agents that wait for a person, newest first. */
export const useWaiting = () =>
  useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: ["approvals", "waiting"],
    queryFn: async ({ pageParam, signal }) =>
      await api.approvals.list({ limit: PAGE_SIZE, cursor: pageParam }, { signal }),
  });

/** How many calls wait, in words: `100+` where there are more than a page; empty: none. */
export function useWaitingCount(): string {
  const { data } = useQuery({
    queryKey: ["approvals", "count"],
    queryFn: async ({ signal }) => {
      const { approvals, nextCursor } = await api.approvals.list({ limit: PAGE_SIZE }, { signal });
      return { count: approvals.length, hasMore: nextCursor !== null };
    },
  });
  return data === undefined || data.count === 0 ? "" : `${data.count}${data.hasMore ? "+" : ""}`;
}

/** What people answered, newest first, as the audit log tells it. */
export const useAnswered = () =>
  useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: ["approvals", "answered"],
    queryFn: async ({ pageParam, signal }) =>
      await api.audit.list({ subjectType: "approval", limit: PAGE_SIZE, cursor: pageParam }, { signal }),
  });

/** Calls that nobody answered in time, newest first. */
export const useExpired = () =>
  useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: ["approvals", "expired"],
    queryFn: async ({ pageParam, signal }) =>
      await api.executions.list(
        { code: "approval.expired", limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      ),
  });

/** What is allowed for good, newest first. */
export const useStanding = () =>
  useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: ["approvals", "standing"],
    queryFn: async ({ pageParam, signal }) =>
      await api.approvals.standing({ limit: PAGE_SIZE, cursor: pageParam }, { signal }),
  });

export const useApproval = (id: string) =>
  useQuery({
    queryKey: ["approvals", "one", id],
    queryFn: ({ signal }) => api.approvals.get(id, { signal }),
  });

/** What a person says to a call. Without a pattern `always` means every call of the tool's version. */
export type Answer =
  /** With arguments: in place of the call's own. */
  | { kind: "once"; arguments?: Record<string, unknown> }
  | { kind: "always"; argument?: string | null; pattern?: string }
  | { kind: "deny"; reason?: string };

async function send(id: string, answer: Answer): Promise<Approval> {
  switch (answer.kind) {
    case "once":
      return api.approvals.allowOnce(id, { arguments: answer.arguments });
    case "always": {
      const { kind: _, ...scope } = answer;
      return api.approvals.allowAlways(id, scope);
    }
    case "deny":
      return api.approvals.deny(id, { reason: answer.reason });
  }
}

/** Answers calls, one after another; tells which it failed for, and why. */
export function useAnswer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ approvals, answer }: { approvals: readonly Approval[]; answer: Answer }) => {
      const failed: { approval: Approval; error: unknown }[] = [];
      for (const approval of approvals)
        await send(approval.id, answer).catch((error: unknown) => failed.push({ approval, error }));
      return failed;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
}

export function useRevokeStanding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.approvals.deleteStanding(id),
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
}
