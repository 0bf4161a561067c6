import { SCHEDULE_NEXT_RUNS, type SchedulePlan, Fault } from "@bulkhead/core";
import { cronTrouble } from "./cron-pattern.ts";
import { nextRuns } from "./next-runs.ts";

/** When a schedule shall run, as it was asked for; undefined is not said. */
export interface PlanRequest {
  cron?: string | undefined;
  timeZone?: string | undefined;
  everyMs?: number | undefined;
}

const DEFAULT_TIME_ZONE = "UTC";
/** Names as the IANA has them; not an offset, which Intl would take too. */
const TIME_ZONE = /^[A-Za-z][\w+\-/]*$/;
/** A cron pattern's first run comes within so long, else it is a mistake; four years apart are two 29ths of February. */
const FIRST_RUN_MS_MAX = 5 * 366 * 24 * 3_600_000;

/** The plan that a request asks for, from `now` on. Throws `request.invalid`, which names the field. */
export function checkPlan({ cron, timeZone, everyMs }: PlanRequest, now: Date): SchedulePlan {
  if ((cron === undefined) === (everyMs === undefined)) {
    throw wrong("cron", "or everyMs must be given, and not both");
  }
  if (everyMs !== undefined) {
    if (timeZone !== undefined) throw wrong("timeZone", "goes with cron, not with everyMs");
    return { type: "every", everyMs, anchorAt: now };
  }
  const plan = {
    type: "cron",
    cron: (cron ?? "").trim(),
    timeZone: checkTimeZone(timeZone ?? DEFAULT_TIME_ZONE),
  } as const;
  const trouble = cronTrouble(plan.cron);
  if (trouble !== null) throw wrong("cron", trouble);
  const first = firstRun(plan, now);
  if (!first || first.getTime() - now.getTime() > FIRST_RUN_MS_MAX) {
    throw wrong("cron", "has no run within five years");
  }
  return plan;
}

/** The planned times behind `after` that are kept with a schedule. */
export const plannedRuns = (plan: SchedulePlan, after: Date): Date[] =>
  nextRuns(plan, after, SCHEDULE_NEXT_RUNS);

function firstRun(plan: SchedulePlan, now: Date): Date | undefined {
  try {
    return nextRuns(plan, now, 1)[0];
  } catch {
    // The library refuses the 30th of February; its words are for programmers.
    return undefined;
  }
}

function checkTimeZone(timeZone: string): string {
  try {
    if (!TIME_ZONE.test(timeZone)) throw new RangeError("an offset or no name at all");
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone && timeZone;
  } catch {
    throw wrong("timeZone", "must be the name of an IANA time zone, as in Europe/Berlin");
  }
}

const wrong = (path: string, message: string): Fault =>
  new Fault("request.invalid", {
    detail: `The body is not valid: ${path}: ${message}.`,
    errors: [{ path, message }],
  });
