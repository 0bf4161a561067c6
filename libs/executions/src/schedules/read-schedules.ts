import { Schedule as Shown, shownAs } from "@bulkhead/contracts";
import { scopeOf, type Schedule, type ScheduleStore, type TenantPrincipal, Fault } from "@bulkhead/core";
import { deedOf } from "./schedule-deed.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";

const noSuchSchedule = () =>
  new Fault("schedule.not_found", {
    detail: "There is no schedule with this id; GET /api/v1/schedules lists yours.",
  });

/** The schedule as it is there for this key. Throws `schedule.not_found`. */
export async function getSchedule(
  deps: { schedules: Pick<ScheduleStore, "find"> },
  principal: TenantPrincipal,
  scheduleId: string,
): Promise<Schedule> {
  const key = { tenantId: principal.tenantId, scheduleId };
  const schedule = await deps.schedules.find(key, scopeOf(principal));
  if (!schedule) throw noSuchSchedule();
  return schedule;
}

/** Those that the key sees, newest first; `before` is the id of the last schedule of the page before. */
export const listSchedules = (
  deps: { schedules: Pick<ScheduleStore, "list"> },
  principal: TenantPrincipal,
  page: { before?: string; limit: number },
): Promise<Schedule[]> => deps.schedules.list(principal.tenantId, { scope: scopeOf(principal), ...page });

/** Its executions stay. Throws `schedule.not_found`. */
export async function deleteSchedule(
  deps: Pick<ScheduleDeps, "schedules" | "triggers" | "audit" | "report">,
  principal: TenantPrincipal,
  scheduleId: string,
): Promise<void> {
  if (!(await deleteFound(deps, principal, await getSchedule(deps, principal, scheduleId))))
    throw noSuchSchedule();
}

/** `deleteSchedule` of one that was found for the principal; false where it is gone by now. */
export async function deleteFound(
  deps: Pick<ScheduleDeps, "schedules" | "triggers" | "audit" | "report">,
  principal: TenantPrincipal,
  schedule: Schedule,
): Promise<boolean> {
  const { tenantId, scheduleId } = schedule;
  if (!(await deps.schedules.delete({ tenantId, scheduleId }))) return false;
  await deps.audit.record(principal, tenantId, deedOf(schedule, "schedule.deleted"));
  await deps.triggers
    .remove(scheduleId)
    .catch((error: unknown) =>
      deps.report("a deleted schedule's trigger stays until it is reconciled", error),
    );
  return true;
}

/** A schedule as people see it. */
export const showSchedule = (schedule: Schedule) =>
  shownAs(Shown, schedule, {
    id: schedule.scheduleId,
    ...schedule.plan,
    nextRuns: schedule.nextRuns.map((run) => run.toISOString()),
    lastError: schedule.lastError
      ? { ...schedule.lastError, at: schedule.lastError.at.toISOString() }
      : undefined,
  });
