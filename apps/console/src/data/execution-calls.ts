import type { ExecutionSummary } from "@bulkhead/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { LOOK_AGAIN } from "./executions.ts";

/** An execution that another one's tool called, and how deep it stands below the one that is looked at. */
export interface NestedCall {
  execution: ExecutionSummary;
  depth: number;
}

/** So many calls are shown below one execution, so deep, and found with so many questions. */
const CALLS_MAX = 150;
const DEPTH_MAX = 4;
const QUESTIONS_MAX = 40;

/** The calls below an execution, each before its own ones, oldest first; `isCut` where there may be more. */
export const useNestedCalls = (id: string) =>
  useQuery({
    ...LOOK_AGAIN,
    queryKey: ["execution", id, "calls"],
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
        const limit = CALLS_MAX - calls.length;
        const { executions, nextCursor } = await api.executions.list({ parentId, limit }, { signal });
        isCut ||= nextCursor !== null;
        for (const execution of executions.toReversed()) {
          calls.push({ execution, depth });
          if (depth < DEPTH_MAX) await read(execution.id, depth + 1);
        }
      };
      await read(id, 1);
      return { calls, isCut };
    },
  });
