import type { CallContext } from "../execution/call-context.ts";
import type { JsonObject } from "../json/json.ts";

/** What a schedule says of its pause when its tool is gone. */
export const SCHEDULE_TOOL_DELETED = "Its tool was deleted.";
/** Schedules of one tenant. */
export const SCHEDULES_MAX = 1_000;
/** The shortest and the longest time between two planned runs of an interval; milliseconds. */
export const SCHEDULE_EVERY_MS_MIN = 1_000;
export const SCHEDULE_EVERY_MS_MAX = 366 * 24 * 3_600_000;
/** Of a cron pattern, in characters. */
export const CRON_CHARS_MAX = 256;
/** Of the name of a time zone, in characters. */
export const TIME_ZONE_CHARS_MAX = 64;
/** Of the arguments as JSON, in bytes: they are kept for every tenant's every schedule, and listed with it. */
export const SCHEDULE_ARGUMENTS_BYTES_MAX = 64 * 1024;
/** So many planned runs are kept and shown. */
export const SCHEDULE_NEXT_RUNS = 5;
/** A run that is later than this counts as missed, and its schedule's policy decides; milliseconds. */
export const SCHEDULE_LATE_MS_MAX = 60_000;

/** What becomes of runs whose time passed while nothing ran: none of them, or one for all. */
export const MISSED_RUNS = ["skip", "once"] as const;
export type MissedRuns = (typeof MISSED_RUNS)[number];

/** What becomes of a planned run while an earlier run of its schedule has not ended. */
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

/** Why a planned run came to no execution; what an execution itself ends with is its own. */
export interface ScheduleError {
  /** A code of the faults' catalogue. */
  code: string;
  message: string;
  at: Date;
}

/** What its owner decides about a schedule. */
export interface ScheduleTerms {
  name: string | null;
  toolId: string;
  /** The tool's name at present; its last one where it is gone. */
  toolName: string;
  arguments: JsonObject;
  context: CallContext;
  priority: number;
  /** Of each execution, from its submission to its result; milliseconds. */
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
  /** Of the latest planned run that came to nothing, until one comes to an execution again. */
  lastError: ScheduleError | null;
  /** Planned runs that were left out since an earlier one had not ended, of all time. */
  skippedRuns: number;
  lastSkippedAt: Date | null;
  /** The planned time of the run that waits for an earlier one's end. */
  waitingSince: Date | null;
  /** Rises with every change of the terms. */
  revision: number;
  /** The API key that made it; its executions are that key's. */
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What a run left behind: its execution, or why there is none. */
export type ScheduleRun = { at: Date; executionId: string } | { error: ScheduleError };

/** What became of a planned run: it ran, or an earlier run that had not ended kept it from it or makes it wait. */
export type PlannedRun = ScheduleRun | { skippedAt: Date } | { waitingSince: Date };
