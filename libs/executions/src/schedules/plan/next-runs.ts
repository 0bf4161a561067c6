import type { SchedulePlan } from "@bulkhead/core";
import { readCronPattern } from "./cron-pattern.ts";
import { nextCronRun } from "./next-cron-run.ts";

/** The first `count` times of a plan behind `after`, soonest first; fewer where the plan has no more. */
export function nextRuns(plan: SchedulePlan, after: Date, count: number): Date[] {
  if (plan.type === "every") {
    const first = nextMultiple(plan.anchorAt.getTime(), plan.everyMs, after.getTime());
    return Array.from({ length: count }, (_, index) => new Date(first + index * plan.everyMs));
  }
  const pattern = readCronPattern(plan.cron);
  const runs: Date[] = [];
  while (runs.length < count) {
    const run = nextCronRun(pattern, plan.timeZone, runs.at(-1) ?? after);
    if (run === null) break;
    runs.push(run);
  }
  return runs;
}

/** The first time of a plan behind `after`. Throws where a plan has none, as no plan does that was accepted. */
export function nextRun(plan: SchedulePlan, after: Date): Date {
  const [run] = nextRuns(plan, after, 1);
  if (run === undefined) throw new Error("a plan has no run left");
  return run;
}

const nextMultiple = (anchorMs: number, everyMs: number, afterMs: number): number =>
  anchorMs + Math.max(1, Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs;
