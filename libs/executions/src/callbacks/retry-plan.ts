const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each try the next one comes; the last one again and again. Milliseconds. */
export type RetryPlan = readonly [number, ...number[]];

export const RETRY_PLAN: RetryPlan = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
];
/** A receiver may ask for a longer pause than the plan's, up to this one. */
export const RETRY_AFTER_MS_MAX = 4 * HOUR;
/** By which part a pause is made longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.1;

/** The pause after the `tryNumber`th try; `random` is from 0 to 1. */
export function retryDelayMs(
  plan: RetryPlan,
  tryNumber: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const planned = plan[Math.min(tryNumber, plan.length) - 1] ?? plan[0];
  const uneven = planned * (1 - JITTER + 2 * JITTER * random);
  return Math.max(uneven, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/** `Retry-After` (RFC 9110, 10.2.3: seconds or a date) in milliseconds from `now`; null where there is none to be read. */
export function readRetryAfter(headers: readonly (readonly [string, string])[], now: Date): number | null {
  const value = headers.find(([name]) => name === "retry-after")?.[1].trim();
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND;
  // Date.parse takes much that is no HTTP date.
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
