import type {
  PlannedRun,
  Schedule,
  ScheduleKey,
  ScheduleOwner,
  SchedulePlan,
  ScheduleRun,
  ScheduleTerms,
} from "./schedule.ts";
import type { ToolScope } from "../tool/tool-scope.ts";

export type NewSchedule = Omit<
  Schedule,
  | "lastRunAt"
  | "lastExecutionId"
  | "lastStatus"
  | "lastError"
  | "skippedRuns"
  | "lastSkippedAt"
  | "waitingSince"
  | "revision"
  | "updatedAt"
  | "madeByToolName"
>;

/** How many schedules there may be once one is made. */
export interface ScheduleBounds {
  ofTenant: number;
  /** Of the owner in its context, where a run makes it. */
  ofOwner: number;
}

/** An active schedule as far as its trigger goes. */
export interface PlannedSchedule extends ScheduleKey {
  plan: SchedulePlan;
  nextRunAt: Date;
}

/** The end of a page of due schedules. */
export interface DueCursor {
  nextRunAt: Date;
  scheduleId: string;
}

/** The stored schedules. Every look-up names the tenant; another tenant's schedules do not exist. */
export interface ScheduleStore {
  /** Answers the bound that is reached, however many are made at once. */
  create(schedule: NewSchedule, bounds: ScheduleBounds): Promise<Schedule | keyof ScheduleBounds>;
  /** Those of the owner, newest first, or the one with the id; `SCHEDULES_PER_OWNER_MAX` at most. */
  listOwned(owner: ScheduleOwner, scheduleId?: string): Promise<Schedule[]>;
  /** With a scope, also null if its tool is not in the scope, or is gone, or it calls for another agent. */
  find(key: ScheduleKey, scope?: ToolScope): Promise<Schedule | null>;
  /**
   * The schedules in the scope (as `find` sees them), newest first; `before` is the id of the last schedule of the page
   * before.
   */
  list(tenantId: string, page: { scope: ToolScope; before?: string; limit: number }): Promise<Schedule[]>;
  /**
   * A compare-and-set on the revision: null when the schedule is gone or was changed. Null for `nextRuns` keeps them. A
   * paused schedule has no waiting run any more.
   */
  update(
    key: ScheduleKey,
    revision: number,
    terms: ScheduleTerms,
    nextRuns: Date[] | null,
  ): Promise<Schedule | null>;
  delete(key: ScheduleKey): Promise<boolean>;
  /**
   * Puts the run that was planned for `plannedAt` on record and moves on to `nextRuns`; false when another has done so
   * or the plan was changed. A schedule that was paused meanwhile stays so. Null for `run`: it was passed over.
   */
  settle(key: ScheduleKey, plannedAt: Date, run: PlannedRun | null, nextRuns: Date[]): Promise<boolean>;
  /** The executions of the schedule that have not ended, oldest first, `SCHEDULE_OPEN_RUNS_MAX` at most. */
  openRuns(key: ScheduleKey): Promise<string[]>;
  /** Active schedules whose waiting run no longer waits for anything, longest waiting first. */
  listReleased(limit: number): Promise<Schedule[]>;
  /** Puts the waiting run of `waitingSince` on record; false when another has done so or it waits no more. */
  settleWaiting(key: ScheduleKey, waitingSince: Date, run: ScheduleRun): Promise<boolean>;
  /** Puts a run on record that no plan asked for. */
  record(key: ScheduleKey, run: ScheduleRun): Promise<void>;
  /** Active schedules whose next run was planned for `until` at the latest, longest due first, from after `after`. */
  listDue(until: Date, after: DueCursor | null, limit: number): Promise<PlannedSchedule[]>;
  /** Active ones of all tenants by id, from behind `after`. */
  listActive(after: string | null, limit: number): Promise<PlannedSchedule[]>;
  /** The active ones among the given ids. */
  activeAmong(scheduleIds: string[]): Promise<string[]>;
}
