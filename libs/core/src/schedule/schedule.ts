import type { CallContext } from "../execution/call-context.ts";
import type { ExecutionStatus } from "../execution/execution.ts";
import type { JsonObject } from "../json/json.ts";

/** A schedule's reason for its pause when its tool is gone. */
export const SCHEDULE_TOOL_DELETED = "Its tool was deleted.";
/** The same for one that a run made whose API key is gone or over. */
export const SCHEDULE_KEY_GONE = "The API key whose call made it is gone or has expired.";
/** Schedules of one tenant. */
export const SCHEDULES_MAX = 1_000;
/** Schedules that the runs of one tool made for one agent and one user. */
export const SCHEDULES_PER_OWNER_MAX = 50;
/** The shortest and the longest time between two planned runs of an interval; milliseconds. */
export const SCHEDULE_EVERY_MS_MIN = 1_000;
export const SCHEDULE_EVERY_MS_MAX = 366 * 24 * 3_600_000;
/** The length of a cron pattern, in characters. */
export const CRON_CHARS_MAX = 256;
/** The length of a time zone's name, in characters. */
export const TIME_ZONE_CHARS_MAX = 64;
/** The size of the arguments as JSON, in bytes: each schedule of each tenant keeps them, and lists show them. */
export const SCHEDULE_ARGUMENTS_BYTES_MAX = 64 * 1024;
/** So many planned runs are kept and shown. */
export const SCHEDULE_NEXT_RUNS = 5;
/** A run that is later than this counts as missed, and its schedule's policy decides; milliseconds. */
export const SCHEDULE_LATE_MS_MAX = 60_000;

/** The policy for runs whose time passed while nothing ran: none of them, or one for all. */
export const MISSED_RUNS = ["skip", "once"] as const;
export type MissedRuns = (typeof MISSED_RUNS)[number];

/** The policy for a planned run while an earlier run of its schedule has not ended. */
export const SCHEDULE_OVERLAPS = ["allow", "skip", "queue_one", "cancel_previous"] as const;
export type ScheduleOverlap = (typeof SCHEDULE_OVERLAPS)[number];

/** Unended runs of a schedule that are looked at, and cancelled, for one planned run. */
export const SCHEDULE_OPEN_RUNS_MAX = 100;

export const SCHEDULE_STATUSES = ["active", "paused"] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** When a schedule runs: a cron pattern in an IANA time zone, or the multiples of an interval behind `anchorAt`. */
export type SchedulePlan =
  | { type: "cron"; cron: string; timeZone: string }
  | { type: "every"; everyMs: number; anchorAt: Date };

/** Names one schedule; the tenant is part of every look-up. */
export interface ScheduleKey {
  tenantId: string;
  scheduleId: string;
}

/** Whose schedules a run sees: those that runs of its tool made for its agent and its user. */
export interface ScheduleOwner {
  tenantId: string;
  madeByTool: string;
  agentId: string | null;
  userId: string | null;
}

/** Why a planned run made no execution; an execution's own failure is not recorded here. */
export interface ScheduleError {
  /** A code of the faults' catalogue. */
  code: string;
  message: string;
  at: Date;
}

/** The fields of a schedule that its owner sets. */
export interface ScheduleTerms {
  name: string | null;
  toolId: string;
  /** The tool's name at present; its last one where it is gone. */
  toolName: string;
  arguments: JsonObject;
  context: CallContext;
  priority: number;
  /** Each execution's time from its submission to its result; milliseconds. */
  timeoutMs: number;
  plan: SchedulePlan;
  missedRuns: MissedRuns;
  overlap: ScheduleOverlap;
  status: ScheduleStatus;
  /** Why the platform paused it; null where a person did, and while it is active. */
  statusReason: string | null;
}

export interface Schedule extends ScheduleKey, ScheduleTerms {
  /** The planned times to come, soonest first, `SCHEDULE_NEXT_RUNS` at most; none while it is paused. */
  nextRuns: Date[];
  lastRunAt: Date | null;
  lastExecutionId: string | null;
  /** How that execution stands; null where there is none any more. */
  lastStatus: ExecutionStatus | null;
  /** The error of the latest planned run that made no execution, until one does again. */
  lastError: ScheduleError | null;
  /** Planned runs that were left out since an earlier one had not ended, of all time. */
  skippedRuns: number;
  lastSkippedAt: Date | null;
  /** The planned time of the run that waits for an earlier one's end. */
  waitingSince: Date | null;
  /** Rises with every change of the terms. */
  revision: number;
  /** The API key that made it, or by whose call the run was made that made it; its executions are that key's. */
  createdBy: string;
  /**
   * The tool whose run made it, by its id, or by its name where it comes with the platform: it fires as that call's key, and with
   * no more than it has. Null: a person made it.
   */
  madeByTool: string | null;
  /** That tool's name at present; its id where it is gone. */
  madeByToolName: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The outcome of a run: its execution, or why there is none. */
export type ScheduleRun = { at: Date; executionId: string } | { error: ScheduleError };

/** The outcome of a planned run: it ran, or an unfinished earlier run made it skip or wait. */
export type PlannedRun = ScheduleRun | { skippedAt: Date } | { waitingSince: Date };
