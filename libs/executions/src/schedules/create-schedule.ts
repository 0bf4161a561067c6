import {
  newScheduleId,
  SCHEDULES_MAX,
  SCHEDULES_PER_OWNER_MAX,
  timeoutFor,
  type CallContext,
  type JsonObject,
  type MissedRuns,
  type Schedule,
  type ScheduleBounds,
  type ScheduleOverlap,
  type SchedulePlan,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { checkCall } from "./check-call.ts";
import { keepTrigger } from "./keep-trigger.ts";
import { checkPlan, plannedRuns, type PlanRequest } from "./plan/check-plan.ts";
import { deedOf } from "./schedule-deed.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";

export interface CreateScheduleRequest extends PlanRequest {
  name: string | null;
  /** An id or a name. */
  tool: string;
  arguments: JsonObject;
  context: CallContext;
  priority: number;
  /** Undefined: as a call of its tool has that says none. */
  timeoutMs?: number | undefined;
  missedRuns: MissedRuns;
  /** Undefined: an interval skips, a cron pattern allows. */
  overlap?: ScheduleOverlap | undefined;
}

/** An interval may well be shorter than its tool's runs; times of a cron pattern are meant one by one. */
const OVERLAP_DEFAULT: Record<SchedulePlan["type"], ScheduleOverlap> = { every: "skip", cron: "allow" };

const TOO_MANY: Record<keyof ScheduleBounds, string> = {
  ofTenant: `A tenant may have ${SCHEDULES_MAX} schedules; delete one that is not needed any more.`,
  ofOwner: `A tool may have ${SCHEDULES_PER_OWNER_MAX} schedules for one agent and user; remove one that is not needed any more.`,
};

/**
 * Makes an active schedule, for a person or for a run of `madeByTool`. Throws the faults of its plan and of its call, and
 * `schedule.too_many`.
 */
export async function createSchedule(
  deps: Omit<ScheduleDeps, "submitScheduled">,
  principal: TenantPrincipal,
  request: CreateScheduleRequest,
  madeByTool: string | null = null,
): Promise<Schedule> {
  const now = deps.clock();
  const plan = checkPlan(request, now);
  const tool = await checkCall(deps, principal, request.tool, request.arguments, request.context);
  const { name, context, priority, missedRuns } = request;
  const schedule = await deps.schedules.create(
    {
      scheduleId: newScheduleId(),
      tenantId: principal.tenantId,
      name,
      toolId: tool.id,
      toolName: tool.name,
      arguments: request.arguments,
      context,
      priority,
      timeoutMs: request.timeoutMs ?? timeoutFor(tool.limits, principal.limits),
      plan,
      missedRuns,
      overlap: request.overlap ?? OVERLAP_DEFAULT[plan.type],
      status: "active",
      statusReason: null,
      nextRuns: plannedRuns(plan, now),
      createdBy: principal.keyId,
      madeByTool,
      createdAt: now,
    },
    { ofTenant: SCHEDULES_MAX, ofOwner: SCHEDULES_PER_OWNER_MAX },
  );
  if (typeof schedule === "string") throw new Fault("schedule.too_many", { detail: TOO_MANY[schedule] });
  const details = madeByTool === null ? {} : { madeByTool };
  await deps.audit.record(principal, schedule.tenantId, deedOf(schedule, "schedule.created", details));
  await keepTrigger(deps, schedule);
  return schedule;
}
