import type { ScheduleKey } from "./schedule.ts";
import type { PlannedSchedule } from "./schedule-store.ts";

/** A moment of a schedule's plan that has come. It may come twice, late, or for a schedule that is gone. */
export interface Trigger extends ScheduleKey {
  plannedAt: Date;
}

/** Tells workers when a schedule's time has come. A hint, never the truth. Rejects with `service.unavailable`. */
export interface ScheduleTriggers {
  /** Sets triggers at the plan's times from now on, replacing former ones of the schedule. Harmless when repeated. */
  set(schedule: Omit<PlannedSchedule, "nextRunAt">): Promise<void>;
  /** Harmless when there is none. */
  remove(scheduleId: string): Promise<void>;
  /** When each of the schedules is triggered next, in their order; null for one that is not. */
  nextTimes(scheduleIds: string[]): Promise<(Date | null)[]>;
  /** The ids of all schedules that are triggered, in pages; one may come twice. */
  listIds(): AsyncIterable<string[]>;
  /**
   * Whether all triggers were lost together, or never set: exactly one of all callers gets true and has to set them again.
   * Cheap enough for a call every second.
   */
  claimRefill(): Promise<boolean>;
  close(): Promise<void>;
}
