import type { ExecutionSummary, ListExecutionsAnswer } from "@bulkhead/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "./api.ts";
import { LOOK_AGAIN } from "./executions.ts";
import { useHeard } from "./live.ts";

/** An execution that another one's tool called, and how deep it stands below the one that is looked at. */
export interface NestedCall {
  execution: ExecutionSummary;
  depth: number;
}

/** So many calls are shown below one execution, so deep, and of so many of them it is asked what they called. */
const CALLS_MAX = 150;
const DEPTH_MAX = 4;
const QUESTIONS_MAX = 40;

/** While calls come and go, they are looked at again so often. */
const HEARD_PAUSE_MS = 1_000;

/** The calls below an execution, each before its own ones, oldest first; `isCut` where there may be more. */
export function useNestedCalls(id: string) {
  const client = useQueryClient();
  const queryKey = ["execution-calls", id];
  // What each of them has called, as it was asked for; an event tells whose has changed, and only theirs is asked for again.
  const [{ lists, asked }] = useState(() => ({
    lists: new Map<string, ListExecutionsAnswer>(),
    asked: new Set<string>(),
  }));
  useHeard(async (heard) => {
    const parents = heard.flatMap((one) => {
      if (one === null) return [...lists.keys(), ...asked];
      return "parentId" in one.data && one.data.parentId !== undefined ? [one.data.parentId] : [];
    });
    const changed = parents.filter((parent) => lists.delete(parent) || asked.delete(parent));
    if (changed.length > 0) await client.invalidateQueries({ queryKey });
  }, HEARD_PAUSE_MS);
  const listOf = async (parentId: string, signal: AbortSignal): Promise<ListExecutionsAnswer> => {
    let list = lists.get(parentId);
    while (list === undefined) {
      asked.add(parentId);
      const answer = await api.executions.list({ parentId, limit: CALLS_MAX }, { signal });
      // One that has changed meanwhile is asked for again.
      if (asked.delete(parentId)) list = answer;
    }
    lists.set(parentId, list);
    return list;
  };
  return useQuery({
    ...LOOK_AGAIN,
    queryKey,
    queryFn: async ({ signal }) => {
      const calls: NestedCall[] = [];
      let questions = 0;
      let isCut = false;
      const read = async (parentId: string, depth: number): Promise<void> => {
        if (questions >= QUESTIONS_MAX || calls.length >= CALLS_MAX) {
          isCut = true;
          return;
        }
        questions += 1;
        const { executions, nextCursor } = await listOf(parentId, signal);
        isCut ||= nextCursor !== null;
        for (const execution of executions.toReversed()) {
          if (calls.length >= CALLS_MAX) {
            isCut = true;
            return;
          }
          calls.push({ execution, depth });
          if (depth < DEPTH_MAX) await read(execution.id, depth + 1);
        }
      };
      await read(id, 1);
      return { calls, isCut };
    },
  });
}
