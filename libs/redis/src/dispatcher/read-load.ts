import type { QueueFacts } from "@bulkhead/core";

/** Tenant, backlog, in flight, delayed, parked, competes, tat, runs, their mean. */
type TenantRow = [string, number, number, number, number, 0 | 1, string, number, string];

export type LoadReply = [slots: number, at: number, weights: string, ...tenants: TenantRow[]];

/** Reads the reply of `lua/load.lua`. */
export function readLoad([slots, at, weights, ...tenants]: LoadReply): QueueFacts[] {
  const common = { at: new Date(at), slots, weights: Number(weights) };
  return tenants.map(([tenantId, backlog, inflight, delayed, parked, competes, tat, runs, meanMs]) => ({
    ...common,
    tenantId,
    backlog,
    inflight,
    delayed,
    parked,
    competes: competes === 1,
    tat: Number(tat),
    runs,
    meanMs: Number(meanMs),
  }));
}
