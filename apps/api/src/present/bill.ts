import type { Timings } from "@bulkhead/domain";
import { roundMs } from "@bulkhead/execution";

/**
 * Where the time of one waiting call went, in order, in milliseconds: `accept` (read, authenticate, look up), `validate`,
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
  const counted = Object.values(steps).reduce((sum, ms) => sum + ms, 0);
  return { ...steps, deliver: roundMs(Math.max(0, totalMs - counted)), total: roundMs(totalMs) };
}

/** The bill as a `Server-Timing` header (W3C Server Timing). */
export const serverTiming = (bill: Timings): string =>
  Object.entries(bill)
    .map(([step, ms]) => `${step};dur=${ms}`)
    .join(", ");
