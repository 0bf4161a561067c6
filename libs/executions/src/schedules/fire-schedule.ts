import {
  SCHEDULE_KEY_GONE,
  SCHEDULE_LATE_MS_MAX,
  SCHEDULE_TOOL_DELETED,
  type ExecutionStore,
  type IdempotencyKey,
  type PlannedRun,
  type Schedule,
  type ScheduleRun,
  type ScheduleStore,
  type ExecutionKey,
  type Trigger,
  Fault,
} from "@bulkhead/core";
import { getTool } from "@bulkhead/tools";
import { plannedRuns } from "./plan/check-plan.ts";
import type { Report, ScheduleDeps } from "./schedule-deps.ts";
import { principalOf, type PrincipalDeps } from "./schedule-principal.ts";
import { termsOf } from "./schedule-terms.ts";

export interface FireDeps extends PrincipalDeps, Pick<ScheduleDeps, "tools" | "submitScheduled" | "clock"> {
  schedules: Pick<
    ScheduleStore,
    "find" | "settle" | "openRuns" | "listReleased" | "settleWaiting" | "update"
  >;
  executions: Pick<ExecutionStore, "findByKey">;
  /** Ends a run of the schedule as cancelled; nothing where it has ended. */
  cancelRun: (run: ExecutionKey, message: string) => Promise<void>;
}

/**
 * `refused`: put on record as the schedule's error; `passed_over`: too late, by its policy; `skipped` and `waits`: an
 * earlier run has not ended.
 */
export type Fired = "ran" | "refused" | "passed_over" | "skipped" | "waits" | "not_due";

/** How far ahead of this machine's clock another one's trigger may be; milliseconds. */
const AHEAD_MS_MAX = 5_000;
/** Waiting runs that are made in one turn. */
const RELEASED_AT_ONCE = 100;
/** A schedule's tool is looked for among all of the tenant's. */
const OF_ALL = { agentId: null, seesAll: true } as const;
const TAKEN_OVER = "The schedule's next run took its place.";

/**
 * Runs what a schedule has planned, if its time has come, and moves the plan on to the first time behind now. However often
 * and by however many it is called, one planned time makes one execution at most: the call goes under a key of its own.
 * Throws only what may pass by itself (a store that is away): then the run is still due and has to be fired again.
 */
export async function fireSchedule(deps: FireDeps, trigger: Trigger): Promise<Fired> {
  const found = await deps.schedules.find(trigger);
  const schedule = found && (await withoutReleased(deps, found));
  const now = deps.clock();
  const planned = schedule?.nextRuns[0];
  if (!schedule || !planned || planned.getTime() > latestDue(trigger, now)) return "not_due";
  const isMissed = now.getTime() - planned.getTime() > SCHEDULE_LATE_MS_MAX;
  const run =
    isMissed && schedule.missedRuns === "skip" ? null : await runPlanned(deps, schedule, planned, now);
  const behind = new Date(Math.max(now.getTime(), planned.getTime()));
  await deps.schedules.settle(schedule, planned, run, plannedRuns(schedule.plan, behind));
  if (run === null) return "passed_over";
  await pauseInVain(deps, schedule, run);
  return outcomeOf(run);
}

/** Runs what waited for runs that have ended; what fails waits for the next turn. Answers how many were seen to. */
export async function fireReleased(deps: FireDeps & { report: Report }): Promise<number> {
  const released = await deps.schedules.listReleased(RELEASED_AT_ONCE);
  for (const schedule of released) {
    try {
      await withoutReleased(deps, schedule);
    } catch (error) {
      deps.report("a schedule's waiting run could not be made", error);
    }
  }
  return released.length;
}

function outcomeOf(run: PlannedRun): Fired {
  if ("error" in run) return "refused";
  if ("skippedAt" in run) return "skipped";
  return "waitingSince" in run ? "waits" : "ran";
}

/** A trigger is believed when it comes from a clock that is a little ahead. */
const latestDue = ({ plannedAt }: Trigger, now: Date): number =>
  Math.max(now.getTime(), Math.min(plannedAt.getTime(), now.getTime() + AHEAD_MS_MAX));

/** Makes the schedule's waiting run, if it has one that waits for nothing any more; answers the schedule as it then is. */
async function withoutReleased(deps: FireDeps, schedule: Schedule): Promise<Schedule> {
  const { waitingSince } = schedule;
  if (waitingSince === null || schedule.status !== "active") return schedule;
  const isAsked =
    (await deps.executions.findByKey(schedule.tenantId, keyOf(schedule, waitingSince))) !== null;
  if (!isAsked && (await deps.schedules.openRuns(schedule)).length > 0) return schedule;
  const run = await submit(deps, schedule, waitingSince, deps.clock());
  await deps.schedules.settleWaiting(schedule, waitingSince, run);
  await pauseInVain(deps, schedule, run);
  return { ...schedule, waitingSince: null };
}

async function runPlanned(deps: FireDeps, schedule: Schedule, planned: Date, now: Date): Promise<PlannedRun> {
  const { tenantId, overlap, waitingSince } = schedule;
  const open = overlap === "allow" ? [] : await deps.schedules.openRuns(schedule);
  // What waits is the next to run: the run that it waited for may have ended this moment, and another worker be making it.
  const isBusy = open.length > 0 || (waitingSince !== null && overlap !== "allow");
  // Another worker may have made this very run by now, and it keeps nobody from itself. Asked in this order: a run that
  // is seen has its key.
  const isAsked = isBusy && (await deps.executions.findByKey(tenantId, keyOf(schedule, planned))) !== null;
  if (!isBusy || isAsked) return submit(deps, schedule, planned, now);
  if (overlap === "queue_one" && waitingSince === null) return { waitingSince: planned };
  if (overlap !== "cancel_previous") return { skippedAt: planned };
  for (const executionId of open) await deps.cancelRun({ tenantId, executionId }, TAKEN_OVER);
  return submit(deps, schedule, planned, now);
}

/**
 * A tool that is gone comes back under no other's id: the schedule has nothing to run until it is given another one. One that
 * only the policy keeps from the schedule's agent may be let to it at any time. A key comes back never.
 */
async function pauseInVain(deps: FireDeps, schedule: Schedule, run: PlannedRun): Promise<void> {
  if (!("error" in run)) return;
  const statusReason = await whyInVain(deps, schedule, run.error.code);
  if (statusReason === null) return;
  const terms = { ...termsOf(schedule), status: "paused", statusReason } as const;
  await deps.schedules.update(schedule, schedule.revision, terms, []);
}

async function whyInVain(
  { tools }: Pick<FireDeps, "tools">,
  { tenantId, toolId }: Schedule,
  code: string,
): Promise<string | null> {
  if (code === "schedule.key_gone") return SCHEDULE_KEY_GONE;
  if (code !== "tool.not_found" || (await tools.find(tenantId, toolId, OF_ALL))) return null;
  return SCHEDULE_TOOL_DELETED;
}

// The key alone says which run it is: of two workers that race while the schedule is changed, one may know other
// arguments, and that is no conflict.
const keyOf = ({ scheduleId }: Schedule, planned: Date): IdempotencyKey => ({
  key: `schedule/${scheduleId}/${planned.getTime()}`,
  bodyHash: "schedule",
});

async function submit(deps: FireDeps, schedule: Schedule, planned: Date, now: Date): Promise<ScheduleRun> {
  const { scheduleId, context, timeoutMs, priority } = schedule;
  const once = keyOf(schedule, planned);
  try {
    const principal = await principalOf(deps, schedule);
    const tool = await getTool(deps, principal, schedule.toolId, context);
    const call = { scheduleId, arguments: schedule.arguments, context, timeoutMs, priority, once };
    const { executionId } = await deps.submitScheduled(principal, tool, call);
    return { at: now, executionId };
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    return { error: { code: error.code, message: error.detail, at: now } };
  }
}
