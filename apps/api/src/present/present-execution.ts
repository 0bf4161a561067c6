import { roundMs } from "@bulkhead/execution";
import type { Execution } from "@bulkhead/domain";

/** From acceptance to the end; undefined while it goes on. */
const durationMs = ({ createdAt, finishedAt }: Execution): number | undefined =>
  finishedAt ? Math.max(0, finishedAt.getTime() - createdAt.getTime()) : undefined;

/** An execution as outsiders see it. */
export const presentExecution = (execution: Execution) => ({
  id: execution.executionId,
  toolId: execution.toolId,
  toolName: execution.toolName,
  toolVersion: execution.toolVersion,
  parentId: execution.parentId ?? undefined,
  status: execution.status,
  context: execution.context,
  arguments: execution.arguments,
  result: execution.result,
  isError: execution.error !== null,
  error: execution.error ?? undefined,
  createdAt: execution.createdAt.toISOString(),
  startedAt: execution.startedAt?.toISOString(),
  finishedAt: execution.finishedAt?.toISOString(),
  durationMs: durationMs(execution),
  attempts: execution.attempt,
  usage: presentUsage(execution),
  endedBy: execution.endedBy ?? undefined,
  traceId: execution.traceId,
});

const presentUsage = ({ usage }: Execution) => ({
  cpuMs: roundMs(usage.cpuMs),
  wallMs: roundMs(usage.wallMs),
  memoryPeakMib: roundMs(usage.memoryPeakMib),
  networkRequests: usage.networkRequests,
});

export const linksOf = (executionId: string) => {
  const self = `/api/v1/executions/${executionId}`;
  return { self, events: `${self}/events`, cancel: `${self}/cancel` };
};

/** What a caller who waited gets. `timings` is the whole bill, the caller's side included. */
export const presentResult = (execution: Execution, timings: Execution["timings"]) => ({
  executionId: execution.executionId,
  status: execution.status,
  tool: execution.toolName,
  result: execution.result,
  isError: execution.error !== null,
  error: execution.error ?? undefined,
  duration: durationMs(execution) ?? 0,
  metadata: {
    executionTime: roundMs(execution.usage.wallMs),
    dynamicTool: execution.toolName,
    attempts: execution.attempt,
    usage: presentUsage(execution),
    timings,
  },
});
