import type { Execution, Timings } from "@bulkhead/core";
import { roundMs } from "@bulkhead/executions";

/**
 * Tells where the time of one waiting call went, in order, in milliseconds: `accept` (read, authenticate, look up), `validate`,
 * `persist`, `admit` here, then `dwell` in the queue, `claim`, `bind` and `run` in the worker, and `deliver`: the end
 * written, told and read. `totalMs` is from the request's arrival.
 */
export function billOf(acceptMs: number, submitted: Timings, run: Timings, totalMs: number): Timings {
  const { dwell = 0, ...rest } = run;
  // The worker counts its dwell from the acceptance, so it holds what was done here meanwhile.
  const here = (submitted["persist"] ?? 0) + (submitted["admit"] ?? 0);
  const steps: Timings = {
    accept: roundMs(acceptMs),
    ...submitted,
    dwell: roundMs(Math.max(0, dwell - here)),
    ...rest,
  };
  // An execution that ended before it ran has no run to name: all the rest was waiting.
  const last = "run" in run ? "deliver" : "dwell";
  const counted = Object.values(steps).reduce((sum, ms) => sum + ms, 0);
  const remainder = roundMs((steps[last] ?? 0) + Math.max(0, totalMs - counted));
  return { ...steps, [last]: remainder, total: roundMs(totalMs) };
}

/** The worker's steps of a run, and as `dwell` too what a person took before it to allow it. */
export function stepsOfRun({
  timings,
  approval,
  createdAt,
}: Pick<Execution, "timings" | "approval" | "createdAt">): Timings {
  const answer = approval?.answer;
  if (!answer) return timings;
  const askedMs = Math.max(0, Date.parse(answer.at) - createdAt.getTime());
  return { ...timings, dwell: (timings["dwell"] ?? 0) + askedMs };
}

/** The bill as a `Server-Timing` header (W3C Server Timing). */
export const serverTiming = (bill: Timings): string =>
  Object.entries(bill)
    .map(([step, ms]) => `${step};dur=${ms}`)
    .join(", ");
