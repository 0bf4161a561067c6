import type {
  ExecutionStatus,
  MissedRuns,
  PlannedSchedule,
  Schedule,
  ScheduleError,
  ScheduleOverlap,
  SchedulePlan,
  ScheduleStatus,
} from "@bulkhead/core";
import { columns } from "../columns.ts";
import type { Prisma, Schedule as ClientSchedule } from "../generated/client.ts";
import { readContext, readObject, type Json } from "../stored-json.ts";

/** The columns that tell when a schedule runs. */
export const PLAN_FIELDS = {
  id: true,
  tenantId: true,
  cron: true,
  timeZone: true,
  everyMs: true,
  anchorAt: true,
  nextRunAt: true,
} as const satisfies Prisma.ScheduleSelect;

const FIELDS = {
  name: true,
  toolId: true,
  arguments: true,
  context: true,
  priority: true,
  timeoutMs: true,
  missedRuns: true,
  overlap: true,
  status: true,
  statusReason: true,
  lastRunAt: true,
  lastExecutionId: true,
  lastError: true,
  skippedRuns: true,
  lastSkippedAt: true,
  waitingSince: true,
  revision: true,
  createdBy: true,
  madeByTool: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.ScheduleSelect;

/**
 * Of a schedule `s`, as `ScheduleRow` has them. Only SQL reads them: the tool's name is the present one where there is a tool,
 * to which nothing refers, since a schedule outlives it.
 */
export const SCHEDULE_COLUMNS = `${columns("s", { ...PLAN_FIELDS, ...FIELDS })}, to_json(s.next_runs) AS "nextRuns",
  (SELECT e.status FROM executions AS e
    WHERE e.id = s.last_execution_id AND e.tenant_id = s.tenant_id AND e.erased_at IS NULL) AS "lastStatus",
  coalesce((SELECT t.name FROM tools AS t WHERE t.id = s.tool_id AND t.tenant_id = s.tenant_id), s.tool_name) AS "toolName",
  coalesce((SELECT t.name FROM tools AS t WHERE t.id = s.made_by_tool AND t.tenant_id = s.tenant_id), s.made_by_tool)
    AS "madeByToolName"`;

type PlanRow = Prisma.ScheduleGetPayload<{ select: typeof PLAN_FIELDS }>;

export interface ScheduleRow extends Omit<ClientSchedule, "missedRuns" | "overlap" | "status" | "nextRuns"> {
  missedRuns: MissedRuns;
  overlap: ScheduleOverlap;
  status: ScheduleStatus;
  nextRuns: string[];
  lastStatus: ExecutionStatus | null;
  madeByToolName: string | null;
}

/** The table's checks leave one of the two and all of it. */
function toPlan({ cron, timeZone, everyMs, anchorAt }: PlanRow): SchedulePlan {
  if (cron !== null) return { type: "cron", cron, timeZone: timeZone ?? "UTC" };
  return { type: "every", everyMs: Number(everyMs ?? 0), anchorAt: anchorAt ?? new Date(0) };
}

/** Of an active one. */
export const toPlanned = (row: PlanRow): PlannedSchedule => ({
  scheduleId: row.id,
  tenantId: row.tenantId,
  plan: toPlan(row),
  nextRunAt: row.nextRunAt ?? new Date(0),
});

export function toSchedule(row: ScheduleRow): Schedule {
  const { id: scheduleId, cron: _, timeZone: _2, everyMs: _3, anchorAt: _4, nextRunAt: _5, ...terms } = row;
  return {
    ...terms,
    scheduleId,
    arguments: readObject(row.arguments),
    context: readContext(row.context),
    plan: toPlan(row),
    nextRuns: row.nextRuns.map((run) => new Date(run)),
    lastError: toError(row.lastError),
  };
}

/** An error that can't be read is left out, as everywhere in stored JSON. */
function toError(json: Json): ScheduleError | null {
  const { code, message, at } = readObject(json);
  if (typeof code !== "string" || typeof message !== "string" || typeof at !== "string") return null;
  return { code, message, at: new Date(at) };
}
