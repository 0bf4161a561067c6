import type { Approval } from "@bulkhead/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 100;
/** Each row has all its arguments. */
const ENDED_PAGE_SIZE = 50;
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

/** How many calls wait. */
export const useWaitingCount = (): number =>
  useQuery({
    queryKey: ["approvals", "count"],
    queryFn: async ({ signal }) => (await api.approvals.list({ limit: 1 }, { signal })).waitingCount,
  }).data ?? 0;

type Status = Approval["status"];
const ENDED = {
  answered: ["allowed", "denied"],
  expired: ["expired", "cancelled"],
} as const satisfies Record<string, readonly Status[]>;
/** Calls that people answered, or that nobody did. */
export type EndedKind = keyof typeof ENDED;

/** Calls that wait no more, newest first. */
export const useEnded = (kind: EndedKind) =>
  useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: ["approvals", kind],
    queryFn: async ({ pageParam, signal }) =>
      await api.approvals.list(
        { status: [...ENDED[kind]], limit: ENDED_PAGE_SIZE, cursor: pageParam },
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

/** Calls that were answered together, and which of them it failed for, and why. */
export interface Given {
  approvals: readonly Approval[];
  answer: Answer;
  failed: readonly { approval: Approval; error: unknown }[];
}

/** Answers calls, one after another, and tells how it went, also where whoever asked is no more on the page by then. */
export function useAnswer(tell: (given: Given) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ approvals, answer }: { approvals: readonly Approval[]; answer: Answer }) => {
      const failed: { approval: Approval; error: unknown }[] = [];
      for (const approval of approvals)
        await send(approval.id, answer).catch((error: unknown) => failed.push({ approval, error }));
      return failed;
    },
    onSuccess: (failed, given) => tell({ ...given, failed }),
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
