import type { JsonObject, Schedule, ScheduleError, SchedulePlan } from "@bulkhead/core";
import { SHOWN_ARGUMENTS_BYTES_MAX } from "@bulkhead/tools/built-in";

/** A schedule as its maker is told of it: without what is the tenant's business, and with large arguments by their size. */
export function tellSchedule(schedule: Schedule): JsonObject {
  const { scheduleId, name, toolName, status, statusReason, plan, missedRuns, overlap } = schedule;
  const { nextRuns, lastRunAt, lastExecutionId, lastStatus, lastError, skippedRuns } = schedule;
  const argumentsBytes = Buffer.byteLength(JSON.stringify(schedule.arguments));
  return {
    id: scheduleId,
    name,
    tool: toolName,
    ...(argumentsBytes <= SHOWN_ARGUMENTS_BYTES_MAX && { arguments: schedule.arguments }),
    argumentsBytes,
    ...tellPlan(plan),
    missedRuns,
    overlap,
    status,
    statusReason,
    nextRuns: nextRuns.map((run) => run.toISOString()),
    lastRunAt: lastRunAt?.toISOString() ?? null,
    lastExecutionId,
    lastStatus,
    lastError: lastError && tellError(lastError),
    skippedRuns,
    createdAt: schedule.createdAt.toISOString(),
  };
}

const tellPlan = (plan: SchedulePlan): JsonObject =>
  plan.type === "cron" ? { cron: plan.cron, timeZone: plan.timeZone } : { everyMs: plan.everyMs };

const tellError = ({ code, message, at }: ScheduleError): JsonObject => ({
  code,
  message,
  at: at.toISOString(),
});
