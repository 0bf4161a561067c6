import type { TenantLimits } from "@bulkhead/domain";
import type { TenantState } from "./tenant.ts";

/** Releases with a known cost before the mean counts for anything. */
const KNOWN_MIN = 10;

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
  const overCap = Math.max(0, tenant.slots.size + ahead - cap + 1);
  const byCap =
    tenant.known >= KNOWN_MIN ? (overCap * tenant.leastMs) / 2 / Math.min(cap, Math.max(1, slots)) : 0;
  return Math.max(0, byRate, byCap);
}
