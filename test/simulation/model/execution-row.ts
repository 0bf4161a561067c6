import {
  APPROVAL_SETTINGS_DEFAULT,
  type Admission,
  type AttemptKey,
  type ClaimedExecution,
  type Ending,
  type Execution,
  type LimitsAsOf,
  type NewExecution,
  type TerminalStatus,
  type ToolStatus,
} from "@bulkhead/core";

/** An execution as the table holds it; times are virtual milliseconds. */
export interface Row {
  readonly born: NewExecution;
  status: Execution["status"];
  attempt: number;
  effects: boolean;
  workerId: string | null;
  leaseUntil: number | null;
  queuedAt: number;
  notBefore: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  endEventId: string | null;
  ended: Pick<Ending, "result" | "error" | "usage" | "timings" | "endedBy">;
  /** Tries that failed and were put off: those that were lost or handed back cost none. */
  failedTries: number;
  /** Tries that were lost with their worker or their sandbox process. */
  lostTries: number;
}

const NOTHING_YET: Row["ended"] = {
  result: null,
  error: null,
  usage: { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 },
  timings: {},
  endedBy: null,
};

export const newRow = (born: NewExecution, now: number): Row => ({
  born,
  status: "queued",
  attempt: 0,
  effects: false,
  workerId: null,
  leaseUntil: null,
  queuedAt: now,
  notBefore: born.delayMs > 0 ? now + born.delayMs : null,
  startedAt: null,
  finishedAt: null,
  endEventId: null,
  ended: NOTHING_YET,
  failedTries: 0,
  lostTries: 0,
});

/** Whether this is the attempt that runs. */
export const isHeldBy = (row: Row | undefined, { attempt }: AttemptKey): row is Row =>
  row?.status === "running" && row.attempt === attempt;

/** Whether another try can do no effect twice. */
export const mayRunAgain = ({ effects, born }: Row): boolean => !effects || born.idempotent;

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export const toExecution = (row: Row): Execution => {
  const { tenantId, executionId, toolId, toolName, toolVersion, context, deadlineAt, traceId } = row.born;
  const { priority, replayOf, scheduleId, createdAt, source, client, requestedBy } = row.born;
  return {
    tenantId,
    executionId,
    toolId,
    toolName,
    toolVersion,
    context,
    deadlineAt,
    traceId,
    createdAt,
    priority,
    replayOf,
    scheduleId,
    source,
    client,
    requestedBy,
    arguments: row.born.arguments,
    parentId: null,
    approval: null,
    erased: [],
    ...row.ended,
    status: row.status,
    attempt: row.attempt,
    startedAt: date(row.startedAt),
    finishedAt: date(row.finishedAt),
    notBefore: date(row.notBefore),
    endEventId: row.endEventId,
  };
};

/** The attempt that is to be handed out: the one after those that were tried. */
export const toAdmission = (row: Row, current: LimitsAsOf, now: number): Admission => {
  const { tenantId, executionId, toolId, dispatch, priority } = row.born;
  return {
    tenantId,
    executionId,
    attempt: row.attempt + 1,
    current,
    priority,
    delayMs: Math.max(0, (row.notBefore ?? 0) - now),
    tool: toolId !== null && dispatch !== null ? { id: toolId, ...dispatch } : null,
  };
};

/** What a worker is told of an attempt that it may run. */
export const toClaimed = (
  { born, failedTries, lostTries, queuedAt }: Row,
  key: AttemptKey,
  ceilings: ClaimedExecution["ceilings"],
  toolStatus: ToolStatus,
  now: number,
): ClaimedExecution => {
  const { toolId, toolName, toolVersion, inlineTool, context, createdAt, deadlineAt } = born;
  const { traceId, traceparent, source, requestedBy, byAgent, retry, idempotent } = born;
  return {
    ...key,
    toolId,
    toolName,
    toolVersion,
    inlineTool,
    context,
    scopeAgentId: null,
    policyVersion: 0,
    madeBy: "user",
    createdAt,
    deadlineAt,
    traceId,
    traceparent,
    source,
    requestedBy,
    byAgent,
    retry,
    idempotent,
    ceilings,
    approvals: APPROVAL_SETTINGS_DEFAULT,
    retention: null,
    tenantRetention: null,
    applyDefaults: false,
    suspect: lostTries > 0,
    failures: failedTries,
    toolStatus,
    argumentsJson: JSON.stringify(born.arguments),
    waitedMs: now - createdAt.getTime(),
    queuedMs: now - queuedAt,
  };
};

/** A worker has claimed it. */
export function holdRow(
  row: Row,
  held: Pick<Row, "attempt" | "workerId" | "leaseUntil">,
  startedAt: number,
): void {
  Object.assign(row, { ...held, status: "running", startedAt });
}

/** Back to the queue, to be tried again. */
export function requeue(row: Row, now: number, delayMs: number): void {
  row.status = "queued";
  row.leaseUntil = null;
  row.startedAt = null;
  row.effects = false;
  row.queuedAt = now + delayMs;
  if (delayMs > 0) row.notBefore = now + delayMs;
}

export function endRow(row: Row, status: TerminalStatus, endEventId: string, now: number): void {
  row.status = status;
  row.endEventId = endEventId;
  row.finishedAt = now;
  row.leaseUntil = null;
}
