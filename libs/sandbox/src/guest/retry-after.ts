import { DateCtor, dateNow, dateParse } from "./primordials.ts";

/** How deep a pause is looked for in the causes of causes. */
const CAUSES_MAX = 3;
const SECONDS = /^\s*\d{1,12}(?:\.\d+)?\s*$/;

/**
 * The pause that the thrown error, or one of its causes, asks for by its `retryAfter`: seconds, or a date. In whole
 * milliseconds, 1 for a past date; 0 if none asks. Throws if the tool's own getters throw.
 */
export function retryAfterMsOf(error: unknown): number {
  let at = error;
  for (let depth = 0; depth <= CAUSES_MAX && typeof at === "object" && at !== null; depth++) {
    const ms = pauseMs((at as { retryAfter?: unknown }).retryAfter);
    if (ms !== null) return ms < 1 ? 1 : ms - (ms % 1) + (ms % 1 > 0 ? 1 : 0);
    at = (at as { cause?: unknown }).cause;
  }
  return 0;
}

/** The seconds that a `Retry-After` header asks for; undefined where there is none, or it can't be read. */
export function retryAfterSeconds(header: string | null): number | undefined {
  const ms = pauseMs(header);
  if (ms === null) return undefined;
  return ms <= 0 ? 0 : (ms - (ms % 1_000)) / 1_000 + (ms % 1_000 > 0 ? 1 : 0);
}

/** Milliseconds from now on; null for a value that is neither seconds nor a date. */
function pauseMs(value: unknown): number | null {
  // A date may be over; a number of seconds below none is no wish.
  if (typeof value === "number") return value < 0 ? null : finite(value * 1_000);
  if (typeof value === "string")
    return SECONDS.test(value) ? finite(+value * 1_000) : finite(dateParse(value) - dateNow());
  return value instanceof DateCtor ? finite(+value - dateNow()) : null;
}

const finite = (ms: number): number | null => (ms - ms === 0 ? ms : null);
