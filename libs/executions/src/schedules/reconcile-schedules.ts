import type { DueCursor, PlannedSchedule, ScheduleStore, ScheduleTriggers } from "@bulkhead/core";
import { fireSchedule, type FireDeps } from "./fire-schedule.ts";
import type { Report } from "./schedule-deps.ts";

export interface ReconcileDeps extends FireDeps {
  schedules: FireDeps["schedules"] & Pick<ScheduleStore, "listDue" | "listActive" | "activeAmong">;
  triggers: Pick<ScheduleTriggers, "set" | "remove" | "nextTimes" | "listIds">;
  report: Report;
}

/** Counts of corrections; all zero in a healthy system. */
export interface Reconciled {
  /** Runs whose trigger never came. */
  fired: number;
  /** Triggers that were not there, or stood at another time than the plan. */
  set: number;
  /** Triggers of schedules that are gone or paused. */
  removed: number;
}

/** Schedules that are held in memory, and asked for in one query, at a time. */
const PAGE = 500;
/** Schedules that are seen to side by side. */
const ABREAST = 10;
/** So long a trigger may take to be handled before its run is fired without it; milliseconds. */
const TRIGGER_MS_MAX = 5_000;

/** Compares the plans in the database with the triggers and puts both ways right; what fails waits for the next turn. */
export async function reconcileSchedules(deps: ReconcileDeps): Promise<Reconciled> {
  const fired = await fireOverdue(deps);
  return { fired, set: await setMissing(deps), removed: await removeOrphans(deps) };
}

async function fireOverdue(deps: ReconcileDeps): Promise<number> {
  const until = new Date(deps.clock().getTime() - TRIGGER_MS_MAX);
  let fired = 0;
  let after: DueCursor | null = null;
  do {
    const page: PlannedSchedule[] = await deps.schedules.listDue(until, after, PAGE);
    fired += await forEach(deps, page, async (due) => {
      await fireSchedule(deps, { ...due, plannedAt: due.nextRunAt });
    });
    after = page.length === PAGE ? (page.at(-1) ?? null) : null;
  } while (after !== null);
  return fired;
}

async function setMissing(deps: ReconcileDeps): Promise<number> {
  let set = 0;
  let after: string | null = null;
  do {
    const page: PlannedSchedule[] = await deps.schedules.listActive(after, PAGE);
    const times = await deps.triggers.nextTimes(page.map(({ scheduleId }) => scheduleId));
    const now = deps.clock().getTime();
    const wrong = page.filter((schedule, index) => !isRight(schedule.nextRunAt, times[index] ?? null, now));
    set += await forEach(deps, wrong, (schedule) => deps.triggers.set(schedule));
    after = page.length === PAGE ? (page.at(-1)?.scheduleId ?? null) : null;
  } while (after !== null);
  return set;
}

/** The two are read one after the other: around a planned moment they may differ by a run and both be right. */
function isRight(planned: Date, triggered: Date | null, now: number): boolean {
  if (triggered === null || triggered.getTime() < now - TRIGGER_MS_MAX) return false;
  const isNear = Math.abs(planned.getTime() - now) < TRIGGER_MS_MAX || planned.getTime() < now;
  return isNear || triggered.getTime() === planned.getTime();
}

async function removeOrphans(deps: ReconcileDeps): Promise<number> {
  let removed = 0;
  for await (const ids of deps.triggers.listIds()) {
    // Read after the triggers: what was made meanwhile is active here already.
    const active = new Set(await deps.schedules.activeAmong(ids));
    const orphans = ids.filter((id) => !active.has(id));
    removed += await forEach(deps, orphans, (id) => deps.triggers.remove(id));
  }
  return removed;
}

/** Answers how many went well; the others are reported, and fail nobody else. */
async function forEach<T>(
  { report }: Pick<ReconcileDeps, "report">,
  items: T[],
  step: (item: T) => Promise<void>,
): Promise<number> {
  const left = items.values();
  let done = 0;
  const lane = async (): Promise<void> => {
    for (const item of left) {
      try {
        await step(item);
        done += 1;
      } catch (error) {
        report("reconciling a schedule failed", error);
      }
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, lane));
  return done;
}
