import { readJson, ENDING_LAYERS, type Execution, type ExecutionStatus, type Json } from "@bulkhead/core";
import { readApproval } from "../approvals/approval-json.ts";
import { readContext, readErased, readError, readObject, readTimings, readUsage } from "../stored-json.ts";

/** The columns of an execution `e`, named as `ExecutionRow` has them. */
export const EXECUTION_COLUMNS = `
  e.id, e.tenant_id, e.tool_id, e.tool_name, e.tool_version, e.status, e.context, e.arguments, e.result::text AS result, e.error,
  e.created_at, e.started_at, e.finished_at, e.deadline_at, e.attempt, e.usage, e.timings, e.trace_id, e.end_event_id,
  e.parent_id, e.ended_by, e.priority, e.not_before, e.replay_of, e.schedule_id, e.approval, e.erased`;

export interface ExecutionRow {
  id: string;
  tenant_id: string;
  tool_id: string | null;
  tool_name: string;
  tool_version: number;
  status: ExecutionStatus;
  context: Json;
  arguments: Json;
  /** JSON. */
  result: string | null;
  error: Json;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  deadline_at: Date;
  attempt: number;
  usage: Json;
  timings: Json;
  trace_id: string;
  end_event_id: string | null;
  parent_id: string | null;
  ended_by: string | null;
  priority: number;
  not_before: Date | null;
  replay_of: string | null;
  schedule_id: string | null;
  approval: Json;
  erased: string[] | null;
}

export function toExecution(row: ExecutionRow): Execution {
  return {
    executionId: row.id,
    tenantId: row.tenant_id,
    toolId: row.tool_id,
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    status: row.status,
    context: readContext(row.context),
    arguments: readObject(row.arguments),
    result: row.result === null ? null : readJson(row.result),
    error: readError(row.error),
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    deadlineAt: row.deadline_at,
    attempt: row.attempt,
    usage: readUsage(row.usage),
    timings: readTimings(row.timings),
    traceId: row.trace_id,
    endEventId: row.end_event_id,
    priority: row.priority,
    notBefore: row.not_before,
    parentId: row.parent_id,
    replayOf: row.replay_of,
    scheduleId: row.schedule_id,
    approval: readApproval(row.approval),
    erased: readErased(row.erased),
    endedBy: ENDING_LAYERS.find((layer) => layer === row.ended_by) ?? null,
  };
}
