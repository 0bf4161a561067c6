import type { Schedule } from "@bulkhead/core";

export function presentSchedule(schedule: Schedule) {
  const { plan, lastError } = schedule;
  return {
    id: schedule.scheduleId,
    name: schedule.name ?? undefined,
    status: schedule.status,
    statusReason: schedule.statusReason ?? undefined,
    toolId: schedule.toolId,
    toolName: schedule.toolName,
    arguments: schedule.arguments,
    context: schedule.context,
    priority: schedule.priority,
    timeoutMs: schedule.timeoutMs,
    ...(plan.type === "cron" ? { cron: plan.cron, timeZone: plan.timeZone } : { everyMs: plan.everyMs }),
    missedRuns: schedule.missedRuns,
    overlap: schedule.overlap,
    nextRuns: schedule.nextRuns.map((run) => run.toISOString()),
    lastRunAt: schedule.lastRunAt?.toISOString(),
    lastExecutionId: schedule.lastExecutionId ?? undefined,
    lastError: lastError
      ? { code: lastError.code, message: lastError.message, at: lastError.at.toISOString() }
      : undefined,
    skippedRuns: schedule.skippedRuns,
    lastSkippedAt: schedule.lastSkippedAt?.toISOString(),
    waitingSince: schedule.waitingSince?.toISOString(),
    createdBy: schedule.createdBy,
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
  };
}
