import { AttemptList, shownAs } from "@bulkhead/contracts";
import {
  durationMs,
  linksOf,
  presentErased,
  presentExecution,
  presentSummary,
  presentUsage,
  roundMs,
  waitingLinksOf,
} from "@bulkhead/executions";
import { isTerminal, type Execution, type ExecutionStatus, type PastAttempt } from "@bulkhead/core";

export { linksOf, presentExecution, presentSummary };

const Attempt = AttemptList.shape.attempts.element;

/** The answer to a caller that does not wait for the end. */
export const presentAccepted = (executionId: string, status: ExecutionStatus) => ({
  executionId,
  status,
  links: status === "awaiting_approval" ? waitingLinksOf(executionId) : linksOf(executionId),
});

/** Lists all tries, oldest first: those that are over, and the latest where one was begun. */
export function presentAttempts(execution: Execution, past: PastAttempt[]) {
  const tried = past.map((attempt) => shownAs(Attempt, attempt, { usage: presentUsage(attempt) }));
  const { status, attempt } = execution;
  const last =
    tried.at(-1)?.attempt === attempt || attempt === 0 || !(status === "running" || isTerminal(status));
  if (last) return tried;
  const latest = shownAs(Attempt, execution, { outcome: status, usage: presentUsage(execution) });
  return [...tried, latest];
}

/** The answer to a caller that waited. `timings` is the whole bill, the caller's side included. */
export const presentResult = (execution: Execution, timings: Execution["timings"]) => ({
  executionId: execution.executionId,
  status: execution.status,
  tool: execution.toolName,
  result: execution.result,
  isError: execution.error !== null,
  error: execution.error ?? undefined,
  erased: presentErased(execution),
  duration: durationMs(execution) ?? 0,
  metadata: {
    executionTime: roundMs(execution.usage.wallMs),
    dynamicTool: execution.toolName,
    attempts: execution.attempt,
    usage: presentUsage(execution),
    timings,
  },
});
