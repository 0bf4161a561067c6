import type { Schedule } from "@bulkhead/core";
import type { ScheduleDeps } from "./schedule-deps.ts";

/** Tells the triggers of a change. Where they can't be reached, the workers' reconciler does it within its turn. */
export async function keepTrigger(
  { triggers, report }: Pick<ScheduleDeps, "triggers" | "report">,
  schedule: Pick<Schedule, "tenantId" | "scheduleId" | "plan" | "status">,
): Promise<void> {
  const { scheduleId, tenantId, plan } = schedule;
  try {
    if (schedule.status === "active") await triggers.set({ scheduleId, tenantId, plan });
    else await triggers.remove(scheduleId);
  } catch (error) {
    report("a schedule's trigger could not be changed; the reconciler will do it", error);
  }
}
