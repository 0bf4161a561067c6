import { USAGE_DAYS_MAX, type Fault } from "@bulkhead/core";
import { invalidField } from "../../edge/validate.ts";

const DAY_MS = 24 * 3_600_000;
/** With the day of `to` a week. */
const DAYS_BEFORE = 6;

/** Throws `request.invalid`, which names the field, for a period that ends before it begins or is longer than `USAGE_DAYS_MAX` days. */
export function usagePeriod(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: Date; to: Date } {
  const to = asked.to === undefined ? now : new Date(asked.to);
  const from =
    asked.from === undefined ? startOfDay(to.getTime() - DAYS_BEFORE * DAY_MS) : new Date(asked.from);
  const ms = to.getTime() - from.getTime();
  if (ms < 0) {
    // A field that was left out is not at fault.
    if (asked.to === undefined) throw invalid("from", "must not be in the future");
    throw invalid("to", "must not be before from");
  }
  if (ms > USAGE_DAYS_MAX * DAY_MS)
    throw invalid("from", `must be at most ${USAGE_DAYS_MAX} days before to; ask for one month at a time`);
  return { from, to };
}

/** In UTC; none before 1970, for which there are no ids. */
const startOfDay = (ms: number): Date => new Date(Math.max(0, Math.floor(ms / DAY_MS) * DAY_MS));

export const invalid = (path: string, message: string): Fault =>
  invalidField(path, message, `The query is not valid: ${path}:`);
