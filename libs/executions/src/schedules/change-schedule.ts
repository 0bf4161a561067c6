import {
  changedFields,
  scopeOf,
  type Schedule,
  type ScheduleOverlap,
  type SchedulePlan,
  type ScheduleStatus,
  type ScheduleTerms,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { checkCall } from "./check-call.ts";
import type { CreateScheduleRequest } from "./create-schedule.ts";
import { keepTrigger } from "./keep-trigger.ts";
import { checkPlan, plannedRuns, type PlanRequest } from "./plan/check-plan.ts";
import { getSchedule } from "./read-schedules.ts";
import { makersKey } from "./schedule-principal.ts";
import { deedOf } from "./schedule-deed.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";
import { termsOf } from "./schedule-terms.ts";

type ChangeDeps = Omit<ScheduleDeps, "submitScheduled">;

/** Undefined fields stay. `cron` takes the place of `everyMs`, and the other way round. */
export type UpdateScheduleRequest = Partial<Omit<CreateScheduleRequest, "overlap" | "timeoutMs">> & {
  overlap?: ScheduleOverlap;
  timeoutMs?: number;
};

/**
 * Changes a schedule; a new plan counts from now. Throws the faults of its plan and of its call, `schedule.not_found` and
 * `schedule.changed`.
 */
export async function updateSchedule(
  deps: ChangeDeps,
  principal: TenantPrincipal,
  scheduleId: string,
  request: UpdateScheduleRequest,
): Promise<Schedule> {
  return updateFound(deps, principal, await getSchedule(deps, principal, scheduleId), request);
}

/** `updateSchedule` of one that was found for the principal. */
export async function updateFound(
  deps: ChangeDeps,
  principal: TenantPrincipal,
  schedule: Schedule,
  request: UpdateScheduleRequest,
): Promise<Schedule> {
  const { cron, everyMs, timeZone, tool: ref, ...rest } = request;
  const plan = changedPlan(schedule.plan, { cron, everyMs, timeZone }, deps.clock());
  let call = {};
  if (ref !== undefined || request.arguments !== undefined) {
    const args = request.arguments ?? schedule.arguments;
    const context = request.context ?? schedule.context;
    const tool = await checkCall(deps, principal, ref ?? schedule.toolId, args, context);
    // It was paused for a tool that it no longer has.
    call = { toolId: tool.id, toolName: tool.name, statusReason: null };
  }
  const changed = await change(deps, schedule, { ...termsOf(schedule), ...rest, ...call }, plan);
  const fields = changedFields(request);
  await deps.audit.record(principal, principal.tenantId, deedOf(changed, "schedule.updated", { fields }));
  return changed;
}

/** Plans nothing any more until it is resumed. Of a paused one, nothing. */
export const pauseSchedule = async (deps: ChangeDeps, principal: TenantPrincipal, scheduleId: string) =>
  setStatus(deps, principal, await getSchedule(deps, principal, scheduleId), "paused");

/**
 * Goes on with the plan; what it would have run in its pause was not missed. Of an active one, nothing. Throws
 * `tool.not_found` where its tool is gone, and `schedule.key_gone` where a tool's run made it by a key that is.
 */
export const resumeSchedule = async (deps: ChangeDeps, principal: TenantPrincipal, scheduleId: string) =>
  setStatus(deps, principal, await getSchedule(deps, principal, scheduleId), "active");

/** `pauseSchedule` and `resumeSchedule` of one that was found for the principal. */
export async function setStatus(
  deps: ChangeDeps,
  principal: TenantPrincipal,
  schedule: Schedule,
  status: ScheduleStatus,
): Promise<Schedule> {
  if (schedule.status === status) return schedule;
  if (status === "active") {
    await requireTool(deps, principal, schedule);
    await makersKey(deps, schedule);
  }
  const terms = { ...termsOf(schedule), status, statusReason: null };
  const changed = await change(deps, schedule, terms, schedule.plan);
  const action = status === "paused" ? "schedule.paused" : "schedule.resumed";
  await deps.audit.record(principal, principal.tenantId, deedOf(changed, action));
  return changed;
}

async function requireTool(
  { tools }: Pick<ScheduleDeps, "tools">,
  principal: TenantPrincipal,
  { toolId, toolName }: Schedule,
): Promise<void> {
  if (await tools.find(principal.tenantId, toolId, scopeOf(principal))) return;
  throw new Fault("tool.not_found", {
    detail: `The schedule's tool, ${toolName}, is gone; give the schedule another tool with PATCH, then resume it.`,
  });
}

/** With a plan, that one from now on; null: the one that it has goes on. */
async function change(
  deps: ChangeDeps,
  schedule: Schedule,
  terms: ScheduleTerms,
  plan: SchedulePlan | null,
): Promise<Schedule> {
  const active = terms.status === "active";
  const nextRuns = plan === null ? null : active ? plannedRuns(plan, deps.clock()) : [];
  const changed = await deps.schedules.update(
    schedule,
    schedule.revision,
    { ...terms, plan: plan ?? terms.plan },
    nextRuns,
  );
  if (!changed) {
    throw new Fault("schedule.changed", {
      detail: "Someone else changed or deleted it; read it and try again.",
    });
  }
  if (plan !== null) await keepTrigger(deps, changed);
  return changed;
}

/** Null where the request says nothing of the plan. */
function changedPlan(plan: SchedulePlan, request: PlanRequest, now: Date): SchedulePlan | null {
  const { cron, everyMs, timeZone } = request;
  if (cron === undefined && everyMs === undefined && timeZone === undefined) return null;
  if (everyMs !== undefined) return checkPlan(request, now);
  if (plan.type === "every")
    return checkPlan(cron === undefined ? { ...request, everyMs: plan.everyMs } : request, now);
  return checkPlan({ cron: cron ?? plan.cron, timeZone: timeZone ?? plan.timeZone }, now);
}
