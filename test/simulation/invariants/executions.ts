import { isTerminal } from "@bulkhead/core";
import { byExecution, only, type Invariant } from "./invariant.ts";

/** What is promised of each execution. */
export const EXECUTION_INVARIANTS: Invariant[] = [
  {
    name: "an accepted execution is there and reaches a terminal state",
    check: ({ facts, rows }) =>
      only(facts, "accepted").flatMap(({ executionId }) => {
        const row = rows.get(executionId);
        if (!row) return [`${executionId} was accepted and is not there`];
        return isTerminal(row.status) ? [] : [`${executionId} is ${row.status} for ever`];
      }),
  },
  {
    name: "nothing is left unended once nothing goes wrong any more",
    check: ({ atRest, probed, left }) => [
      ...(atRest ? [] : [`the world came to no rest: ${left.join(", ")}`]),
      ...(probed ? [] : ["a call in a well world did not end"]),
    ],
  },
  {
    name: "an execution ends once, and its end never changes",
    check: ({ facts, rows }) =>
      [...byExecution(only(facts, "ended"))].flatMap(([id, ends]) => {
        if (ends.length > 1) return [`${id} ended ${ends.map(({ status }) => status).join(", then ")}`];
        const row = rows.get(id);
        return row?.status === ends[0]?.status
          ? []
          : [`${id} ended ${ends[0]?.status} and is ${row?.status}`];
      }),
  },
  {
    name: "a cancel that was answered is true for ever",
    check: ({ facts, rows }) =>
      only(facts, "cancelled").flatMap(({ executionId, status }) =>
        status === "cancelled" && rows.get(executionId)?.status === "cancelled"
          ? []
          : [`${executionId} was answered ${status} and is ${rows.get(executionId)?.status}`],
      ),
  },
  {
    name: "an idempotency key stands for one execution",
    check: ({ facts }) =>
      [...Map.groupBy(only(facts, "accepted"), ({ key }) => key)].flatMap(([key, accepted]) => {
        const ids = new Set(accepted.map(({ executionId }) => executionId));
        return key !== null && ids.size > 1 ? [`${key} stands for ${[...ids].join(" and ")}`] : [];
      }),
  },
];
