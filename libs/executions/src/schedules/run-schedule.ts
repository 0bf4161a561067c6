import type { ExecutionStatus, IdempotencyKey, TenantPrincipal } from "@bulkhead/core";
import { getTool } from "@bulkhead/tools";
import { getSchedule } from "./read-schedules.ts";
import { deedOf } from "./schedule-deed.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";

/**
 * Makes a schedule's call once more, at once and whether or not it is paused; its plan stays as it is. A repeat with the
 * same key gets the first run. Throws what the submission of a call throws, and `schedule.not_found`.
 */
export async function runSchedule(
  deps: Pick<ScheduleDeps, "schedules" | "tools" | "submitScheduled" | "audit" | "clock" | "report">,
  principal: TenantPrincipal,
  scheduleId: string,
  once: IdempotencyKey | null,
): Promise<{ executionId: string; status: ExecutionStatus }> {
  const schedule = await getSchedule(deps, principal, scheduleId);
  const tool = await getTool(deps, principal, schedule.toolId, schedule.context);
  const { context, timeoutMs, priority } = schedule;
  const call = { scheduleId, arguments: schedule.arguments, context, timeoutMs, priority, once };
  const { executionId, status, repeated } = await deps.submitScheduled(principal, tool, call);
  if (repeated) return { executionId, status };
  await deps.schedules
    .record(schedule, { at: deps.clock(), executionId })
    .catch((error: unknown) => deps.report("a run of a schedule was not put on its record", error));
  await deps.audit.record(principal, principal.tenantId, deedOf(schedule, "schedule.run", { executionId }));
  return { executionId, status };
}
