import {
  SCHEDULE_LATE_MS_MAX,
  type Schedule,
  type ScheduleRun,
  type ScheduleStore,
  type TenantPrincipal,
  type TenantStore,
  type Trigger,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { getTool } from "@bulkhead/registry";
import { plannedRuns } from "./plan/check-plan.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";

export interface FireDeps extends Pick<ScheduleDeps, "tools" | "submitScheduled" | "clock"> {
  schedules: Pick<ScheduleStore, "find" | "settle">;
  tenants: Pick<TenantStore, "find">;
}

/** `refused`: put on record as the schedule's error; `passed_over`: too late, by its policy. */
export type Fired = "ran" | "refused" | "passed_over" | "not_due";

/** How far ahead of this machine's clock another one's trigger may be; milliseconds. */
const AHEAD_MS_MAX = 5_000;

/**
 * Runs what a schedule has planned, if its time has come, and moves the plan on to the first time behind now. However often
 * and by however many it is called, one planned time makes one execution at most: the call goes under a key of its own.
 * Throws only what may pass by itself (a store that is away): then the run is still due and has to be fired again.
 */
export async function fireSchedule(deps: FireDeps, trigger: Trigger): Promise<Fired> {
  const schedule = await deps.schedules.find(trigger);
  const now = deps.clock();
  const planned = schedule?.nextRuns[0];
  if (!schedule || !planned || planned.getTime() > latestDue(trigger, now)) return "not_due";
  const isMissed = now.getTime() - planned.getTime() > SCHEDULE_LATE_MS_MAX;
  const run = isMissed && schedule.missedRuns === "skip" ? null : await submit(deps, schedule, planned, now);
  const behind = new Date(Math.max(now.getTime(), planned.getTime()));
  await deps.schedules.settle(schedule, planned, run, plannedRuns(schedule.plan, behind));
  if (run === null) return "passed_over";
  return "error" in run ? "refused" : "ran";
}

/** A trigger is believed when it comes from a clock that is a little ahead. */
const latestDue = ({ plannedAt }: Trigger, now: Date): number =>
  Math.max(now.getTime(), Math.min(plannedAt.getTime(), now.getTime() + AHEAD_MS_MAX));

async function submit(deps: FireDeps, schedule: Schedule, planned: Date, now: Date): Promise<ScheduleRun> {
  const { scheduleId, context, timeoutMs, priority } = schedule;
  // The key alone says which run it is: of two workers that race while the schedule is changed, one may know other
  // arguments, and that is no conflict.
  const once = { key: `schedule/${scheduleId}/${planned.getTime()}`, bodyHash: "schedule" };
  try {
    const principal = await principalOf(deps, schedule);
    const tool = await getTool(deps, principal, schedule.toolId);
    const call = { scheduleId, arguments: schedule.arguments, context, timeoutMs, priority, once };
    const { executionId } = await deps.submitScheduled(principal, tool, call);
    return { at: now, executionId };
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    return { error: { code: error.code, message: error.detail, at: now } };
  }
}

/** A schedule acts as a developer's key of its tenant, under the tenant's present limits. */
async function principalOf(
  { tenants }: Pick<FireDeps, "tenants">,
  { tenantId, createdBy }: Schedule,
): Promise<TenantPrincipal> {
  const tenant = await tenants.find(tenantId);
  if (!tenant) throw new Fault("tenant.not_found");
  const { limits, updatedAt, settings } = tenant;
  const { approval } = settings;
  return {
    role: "developer",
    keyId: createdBy,
    tenantId,
    agentId: null,
    limits,
    limitsAsOf: updatedAt,
    approval,
  };
}
