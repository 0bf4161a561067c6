import { approvalIdOf, type Execution, type ExecutionFacts, type ExecutionSummary } from "@bulkhead/core";
import { roundMs } from "../attempt/stopwatch.ts";

/** From acceptance to the end; undefined while it goes on. */
export const durationMs = ({
  createdAt,
  finishedAt,
}: Pick<Execution, "createdAt" | "finishedAt">): number | undefined =>
  finishedAt ? Math.max(0, finishedAt.getTime() - createdAt.getTime()) : undefined;

/** An execution as outsiders see it, by HTTP and in webhooks. */
export const presentExecution = (execution: Execution) => ({
  ...presentFacts(execution),
  timings: Object.keys(execution.timings).length > 0 ? execution.timings : undefined,
  arguments: execution.arguments,
  result: execution.result,
});

/** An execution as lists have it. */
export const presentSummary = (execution: ExecutionSummary) => ({
  ...presentFacts(execution),
  argumentsBytes: execution.argumentsBytes,
  resultBytes: execution.resultBytes,
});

const presentFacts = (execution: ExecutionFacts) => ({
  id: execution.executionId,
  toolId: execution.toolId,
  toolName: execution.toolName,
  toolVersion: execution.toolVersion,
  parentId: execution.parentId ?? undefined,
  replayOf: execution.replayOf ?? undefined,
  scheduleId: execution.scheduleId ?? undefined,
  source: execution.source,
  keyId: execution.requestedBy,
  client: execution.client ?? undefined,
  priority: execution.priority,
  notBefore: execution.status === "queued" ? execution.notBefore?.toISOString() : undefined,
  status: execution.status,
  context: execution.context,
  isError: execution.error !== null,
  error: execution.error ?? undefined,
  createdAt: execution.createdAt.toISOString(),
  startedAt: execution.startedAt?.toISOString(),
  finishedAt: execution.finishedAt?.toISOString(),
  durationMs: durationMs(execution),
  attempts: execution.attempt,
  usage: presentUsage(execution),
  endedBy: execution.endedBy ?? undefined,
  approval: presentApproval(execution),
  erased: presentErased(execution),
  traceId: execution.traceId,
});

/** Undefined where nothing was erased. */
export const presentErased = ({ erased }: Pick<Execution, "erased">) =>
  erased.length > 0 ? [...erased] : undefined;

/** How it came by its permission, where a person had to give it. */
function presentApproval({ executionId, approval }: ExecutionFacts) {
  if (approval === null) return undefined;
  const { expiresAt, asking, answer } = approval;
  const said = answer && {
    answer: answer.answer,
    answeredBy: answer.by ?? undefined,
    answeredAt: answer.at,
    reason: answer.reason,
    askedArguments: answer.askedArguments,
  };
  return { approvalId: approvalIdOf(executionId), expiresAt, asking, ...said };
}

export const presentUsage = ({ usage }: Pick<Execution, "usage">) => ({
  cpuMs: roundMs(usage.cpuMs),
  wallMs: roundMs(usage.wallMs),
  memoryPeakMib: roundMs(usage.memoryPeakMib),
  networkRequests: usage.networkRequests,
  ...(usage.capabilityCalls !== undefined && { capabilityCalls: usage.capabilityCalls }),
});

/** Paths of the API, from its root. */
export const linksOf = (executionId: string) => {
  const self = `/api/v1/executions/${executionId}`;
  return { self, events: `${self}/events`, cancel: `${self}/cancel` };
};

/** With where a person answers it. */
export const waitingLinksOf = (executionId: string) => ({
  ...linksOf(executionId),
  approval: `/api/v1/approvals/${approvalIdOf(executionId)}`,
});
