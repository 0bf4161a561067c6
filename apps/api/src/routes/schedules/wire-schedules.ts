import type { ExecutionStore } from "@bulkhead/core";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  scheduledSubmission,
  updateSchedule,
  type ScheduleDeps,
  type SubmitDeps,
} from "@bulkhead/executions";
import { given } from "../../given.ts";

type SchedulePorts = Omit<ScheduleDeps, "submitScheduled"> &
  SubmitDeps & { executions: Pick<ExecutionStore, "find"> };

/** Gives the use cases of schedules their ports. */
export function wireSchedules(ports: SchedulePorts) {
  const deps = { ...ports, submitScheduled: scheduledSubmission(ports) };
  return {
    ...given(deps, { createSchedule, listSchedules, getSchedule, updateSchedule, deleteSchedule }),
    ...given(deps, { pauseSchedule, resumeSchedule, runSchedule }),
  };
}

export type Schedules = ReturnType<typeof wireSchedules>;
