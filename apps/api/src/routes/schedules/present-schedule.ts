import { Schedule as Shown } from "@bulkhead/contracts";
import type { Schedule } from "@bulkhead/core";
import { shownAs } from "../../edge/shown-as.ts";

export const presentSchedule = (schedule: Schedule) =>
  shownAs(Shown, schedule, {
    id: schedule.scheduleId,
    ...schedule.plan,
    nextRuns: schedule.nextRuns.map((run) => run.toISOString()),
    lastError: schedule.lastError
      ? { ...schedule.lastError, at: schedule.lastError.at.toISOString() }
      : undefined,
  });
