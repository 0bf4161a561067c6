import type {
  ClaimedExecution,
  Clock,
  Execution,
  ExecutionStore,
  LiveRunNews,
  NestedExecution,
  RunNews,
} from "@bulkhead/core";
import { durationMs } from "../follow/present-execution.ts";
import { afterEnds } from "./after-ends.ts";

/**
 * The store, with every start of an attempt and every end that is written through it told to the tenant's followers. A run
 * that is claimed with its end is told of both at its end.
 */
export function tellRuns(
  executions: ExecutionStore,
  runs: Pick<LiveRunNews, "tell">,
  clock: Clock,
): ExecutionStore {
  const ended = (execution: Execution): void => runs.tell(execution.tenantId, () => endOf(execution));
  return {
    ...afterEnds(executions, ended),
    async claim(attempt, ...how) {
      const claimed = await executions.claim(attempt, ...how);
      if (claimed) runs.tell(claimed.tenantId, () => startOf(clock(), claimed));
      return claimed;
    },
    async beginNested(execution, ...by) {
      const begun = await executions.beginNested(execution, ...by);
      if (begun === "begun")
        runs.tell(execution.tenantId, () => startOf(execution.createdAt, nestedRun(execution)));
      return begun;
    },
    async finish(attempt, ending, endEventId, claim) {
      const execution = await executions.finish(attempt, ending, endEventId, claim);
      if (execution === null) return null;
      if (claim) runs.tell(execution.tenantId, () => startOf(execution.startedAt ?? clock(), execution));
      ended(execution);
      return execution;
    },
  };
}

type Run = Pick<
  ClaimedExecution,
  "executionId" | "toolId" | "toolName" | "toolVersion" | "attempt" | "source" | "context"
> & { parentId?: string | null; requestedBy?: string };

const nestedRun = (execution: NestedExecution): Run => ({
  ...execution,
  attempt: 1,
  source: "tool",
  parentId: execution.parent.executionId,
});

/** Exactly what is told: nothing of what the call was given, answered or failed with. */
const dataOf = ({ executionId, parentId, toolId, toolName, toolVersion, attempt, source, ...run }: Run) => ({
  executionId,
  parentId: parentId ?? undefined,
  toolId: toolId ?? undefined,
  toolName,
  toolVersion,
  attempt,
  source,
  keyId: run.requestedBy,
  agentId: run.context.agentId,
});

const startOf = (at: Date, run: Run): RunNews => ({
  type: "execution.started",
  at: at.toISOString(),
  data: dataOf(run),
});

function endOf(execution: Execution): RunNews {
  const { status, error, finishedAt, createdAt } = execution;
  const data = {
    ...dataOf(execution),
    // Only an ended execution gets here.
    status: status as Extract<RunNews, { type: "execution.ended" }>["data"]["status"],
    code: error?.code,
    durationMs: durationMs(execution) ?? 0,
  };
  return { type: "execution.ended", at: (finishedAt ?? createdAt).toISOString(), data };
}
