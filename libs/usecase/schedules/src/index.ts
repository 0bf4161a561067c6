export { createSchedule, type CreateScheduleRequest } from "./create-schedule.ts";
export {
  pauseSchedule,
  resumeSchedule,
  updateSchedule,
  type UpdateScheduleRequest,
} from "./change-schedule.ts";
export { fireReleased, fireSchedule, type FireDeps } from "./fire-schedule.ts";
export { nextRun } from "./plan/next-runs.ts";
export { deleteSchedule, getSchedule, listSchedules } from "./read-schedules.ts";
export { reconcileSchedules, type ReconcileDeps, type Reconciled } from "./reconcile-schedules.ts";
export { runSchedule } from "./run-schedule.ts";
export { scheduledSubmission } from "./submit-scheduled.ts";
export type { Report, ScheduleDeps, ScheduledCall, SubmitScheduled } from "./schedule-deps.ts";
