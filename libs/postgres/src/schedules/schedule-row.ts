import type {
  Json,
  MissedRuns,
  PlannedSchedule,
  Schedule,
  ScheduleError,
  ScheduleOverlap,
  SchedulePlan,
  ScheduleStatus,
} from "@bulkhead/core";
import { readContext, readObject } from "../stored-json.ts";

/** What tells when a schedule runs. */
export const PLAN_COLUMNS =
  "s.id, s.tenant_id, s.cron, s.time_zone, s.every_ms::float8 AS every_ms, s.anchor_at, s.next_run_at";

/** The columns of a schedule `s`, named as `ScheduleRow` has them. The tool's name is the present one where there is a tool. */
export const SCHEDULE_COLUMNS = `${PLAN_COLUMNS}, s.name, s.tool_id,
  coalesce((SELECT t.name FROM tools AS t WHERE t.id = s.tool_id AND t.tenant_id = s.tenant_id), s.tool_name) AS tool_name,
  s.arguments, s.context, s.priority, s.timeout_ms, s.missed_runs, s.overlap, s.status,
  s.status_reason, to_json(s.next_runs) AS next_runs,
  s.last_run_at, s.last_execution_id, s.last_error, s.skipped_runs, s.last_skipped_at,
  s.waiting_since, s.revision, s.created_by, s.created_at, s.updated_at`;

export interface PlanRow {
  id: string;
  tenant_id: string;
  cron: string | null;
  time_zone: string | null;
  every_ms: number | null;
  anchor_at: Date | null;
  next_run_at: Date | null;
}

export interface ScheduleRow extends PlanRow {
  name: string | null;
  tool_id: string;
  tool_name: string;
  arguments: Json;
  context: Json;
  priority: number;
  timeout_ms: number;
  missed_runs: MissedRuns;
  overlap: ScheduleOverlap;
  status: ScheduleStatus;
  status_reason: string | null;
  next_runs: string[];
  last_run_at: Date | null;
  last_execution_id: string | null;
  last_error: Json;
  skipped_runs: number;
  last_skipped_at: Date | null;
  waiting_since: Date | null;
  revision: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** The table's checks leave one of the two and all of it. */
function toPlan({ cron, time_zone, every_ms, anchor_at }: PlanRow): SchedulePlan {
  if (cron !== null) return { type: "cron", cron, timeZone: time_zone ?? "UTC" };
  return { type: "every", everyMs: every_ms ?? 0, anchorAt: anchor_at ?? new Date(0) };
}

/** Of an active one. */
export const toPlanned = (row: PlanRow): PlannedSchedule => ({
  scheduleId: row.id,
  tenantId: row.tenant_id,
  plan: toPlan(row),
  nextRunAt: row.next_run_at ?? new Date(0),
});

export const toSchedule = (row: ScheduleRow): Schedule => ({
  scheduleId: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  toolId: row.tool_id,
  toolName: row.tool_name,
  arguments: readObject(row.arguments),
  context: readContext(row.context),
  priority: row.priority,
  timeoutMs: row.timeout_ms,
  plan: toPlan(row),
  missedRuns: row.missed_runs,
  overlap: row.overlap,
  status: row.status,
  statusReason: row.status_reason,
  nextRuns: row.next_runs.map((run) => new Date(run)),
  lastRunAt: row.last_run_at,
  lastExecutionId: row.last_execution_id,
  lastError: toError(row.last_error),
  skippedRuns: row.skipped_runs,
  lastSkippedAt: row.last_skipped_at,
  waitingSince: row.waiting_since,
  revision: row.revision,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** What can't be read is left out, as everywhere in stored JSON. */
function toError(json: Json): ScheduleError | null {
  const { code, message, at } = readObject(json);
  if (typeof code !== "string" || typeof message !== "string" || typeof at !== "string") return null;
  return { code, message, at: new Date(at) };
}
