import type { Execution } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

/** What can be done to executions, alone or many at once. */
export type ExecutionAction = "cancel" | "replay" | "delete";

const ACTIONS: Readonly<Record<ExecutionAction, (id: string) => Promise<unknown>>> = {
  cancel: (id) => api.executions.cancel(id),
  replay: (id) => api.executions.replay(id),
  delete: (id) => api.executions.delete(id),
};

/** So many requests go at a time. */
const AT_A_TIME = 4;

/** Does one thing to several executions; tells how often it was done, and why it was not. */
export function useExecutionAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, ids }: { action: ExecutionAction; ids: readonly string[] }) => {
      const failed: { id: string; error: unknown }[] = [];
      const left = [...ids];
      const work = async (): Promise<void> => {
        for (let id = left.shift(); id !== undefined; id = left.shift()) {
          const one = id;
          await ACTIONS[action](one).catch((error: unknown) => failed.push({ id: one, error }));
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
      return { done: ids.length - failed.length, failed };
    },
    onSettled: async (_data, _error, { ids }) => {
      await client.invalidateQueries({ queryKey: ["execution-list"] });
      for (const id of ids) await client.invalidateQueries({ queryKey: ["execution", id] });
    },
  });
}

export const useReplay = () => useMutation({ mutationFn: (id: string) => api.executions.replay(id) });

export const useReplayAll = () =>
  useMutation({
    mutationFn: (body: Parameters<typeof api.executions.replayAll>[0]) => api.executions.replayAll(body),
  });

/** How many calls a replay by this filter would make. */
export const useReplayCount = (body: Parameters<typeof api.executions.countReplays>[0]) =>
  useQuery({
    queryKey: ["execution-stats", "replayable", body],
    queryFn: async ({ signal }) => (await api.executions.countReplays(body, { signal })).count,
  });

/** Makes a call like another one, with other arguments: of the same tool and version, with the same facts about the call. */
export const useCallAgain = () =>
  useMutation({
    mutationFn: ({ of, args, version }: { of: Execution; args: Record<string, unknown>; version?: number }) =>
      api.tools.execute(of.toolId ?? of.toolName, {
        arguments: args,
        version,
        mode: "async",
        context: of.context,
        priority: of.priority,
      }),
  });

export function useRedeliver(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (n: number) => api.executions.redeliver(id, n),
    onSettled: () => client.invalidateQueries({ queryKey: ["execution", id, "deliveries"] }),
  });
}
