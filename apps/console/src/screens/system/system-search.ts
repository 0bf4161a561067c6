import type { System, Tenant, SystemLoad } from "@bulkhead/client";
import { chosen, oneOf } from "../../format/address.ts";

export const SYSTEM_TABS = [
  { name: "overview", title: "Overview" },
  { name: "tenants", title: "Tenants" },
] as const;

export interface SystemSearch {
  tab?: "tenants";
}

export const readSystemSearch = (raw: Record<string, unknown>): SystemSearch =>
  chosen<SystemSearch>({ tab: oneOf(["tenants"], raw["tab"]) });

/** The slots of all workers, and what of them is taken. */
export const slotsOf = ({ workers }: System): { running: number; slots: number } => ({
  running: workers.reduce((sum, { running }) => sum + running, 0),
  slots: workers.reduce((sum, { slots }) => sum + slots, 0),
});

export type TenantLoad = SystemLoad["tenants"][number];

/** A tenant with its load, where it is among those that have any. */
export interface LoadedTenant {
  tenant: Tenant;
  load: TenantLoad | undefined;
}

/** The busiest first, as the server told, then all others in the order of the list. */
export function byLoad(tenants: readonly Tenant[], loads: readonly TenantLoad[]): LoadedTenant[] {
  const loadOf = new Map(loads.map((load) => [load.tenantId, load]));
  const rank = new Map(loads.map(({ tenantId }, index) => [tenantId, index]));
  return tenants
    .map((tenant) => ({ tenant, load: loadOf.get(tenant.id) }))
    .toSorted((a, b) => (rank.get(a.tenant.id) ?? Infinity) - (rank.get(b.tenant.id) ?? Infinity) || 0);
}
