import type { SchedulePlan } from "@bulkhead/core";
import type { AdvancedOptions } from "bullmq";

/** All keys of the triggers start with it; its hash tag keeps them on one node of a cluster. */
export const PREFIX = "{bh:schedules}";
/** BullMQ's queue of triggers. */
export const QUEUE = "schedules";
/** Stands beside the triggers and is lost with them; what it holds means nothing. */
export const MARK = `${PREFIX}:filled`;

/** The first time of a plan behind a moment; throws where there is none. */
export type NextRun = (plan: SchedulePlan, after: Date) => Date;

const EVERY = /^every (\d{1,12}) from (-?\d{1,15})$/;

/**
 * A plan as BullMQ's `pattern`, which it hands to our own strategy and does not read itself: its intervals begin when they
 * are set, and its cron patterns handle clock changes in another way than the plans that the database holds.
 */
export const patternOf = (plan: SchedulePlan): { pattern: string; tz?: string } =>
  plan.type === "every"
    ? { pattern: `every ${plan.everyMs} from ${plan.anchorAt.getTime()}` }
    : { pattern: plan.cron, tz: plan.timeZone };

function planOf({ pattern = "", tz = "UTC" }: { pattern?: string; tz?: string }): SchedulePlan {
  const [, everyMs, anchorMs] = EVERY.exec(pattern) ?? [];
  return everyMs === undefined || anchorMs === undefined
    ? { type: "cron", cron: pattern, timeZone: tz }
    : { type: "every", everyMs: Number(everyMs), anchorAt: new Date(Number(anchorMs)) };
}

/** How BullMQ gets the time of a trigger: the same as the database has for the schedule. */
export const strategyOf = (nextRun: NextRun): AdvancedOptions => ({
  repeatStrategy: (millis, repeat) => nextRun(planOf(repeat), new Date(millis)).getTime(),
});
