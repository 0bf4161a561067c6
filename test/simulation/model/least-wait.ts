import type { TenantLimits } from "@bulkhead/core";
import type { TenantState } from "./tenant.ts";

/** Releases with a known cost before they count for anything. */
const KNOWN_MIN = 3;
const DEVIATIONS = 2;
/** What the deviation is taken for at the least, as a share of the mean: few runs that were alike are no proof. */
const DEVIATION_SHARE_MIN = 1 / 3;

/** A lower bound of what the next one would wait, with `ahead` before it: what could still finish is never refused for it. */
export function leastWaitMs(
  tenant: TenantState,
  limits: TenantLimits,
  ahead: number,
  slots: number,
  now: number,
): number {
  const intervalMs = 1_000 / limits.executionsPerSecond;
  const byRate = (ahead + 1 - limits.executionBurst) * intervalMs + tenant.arrivals.debtMs(now);
  const cap = limits.maxConcurrentExecutions;
  const lanes = Math.min(cap, Math.max(1, slots));
  const ends = Math.max(0, tenant.slots.size + ahead - cap + 1);
  const runs = Math.max(0, ends - Math.min(lanes, tenant.slots.size));
  return Math.max(0, byRate, leastWorkMs(tenant, runs) / lanes);
}

/** The lower limit of a prediction interval for the sum of so many further runs (Hahn, Meeker 1991). */
function leastWorkMs({ runs: { count, meanMs, variance } }: TenantState, runs: number): number {
  if (count < KNOWN_MIN) return 0;
  const deviation = Math.max(Math.sqrt((variance * count) / (count - 1)), meanMs * DEVIATION_SHARE_MIN);
  return runs * meanMs - DEVIATIONS * deviation * Math.sqrt(runs + runs ** 2 / count);
}
