import { TENANT_ID } from "@bulkhead/core";

/** Each is a series of its own in every histogram by tenant, of each worker. */
const SHOWN_TENANTS_MAX = 50;

type Read = { ok: true; rules: string[] } | { ok: false; faults: string[] };

/** Reads METRICS_TENANTS: tenants' ids, separated by commas, 50 at most. */
export function readShownTenants(text: string): Read {
  const named = text.split(",").map((id) => id.trim());
  const ids = [...new Set(named.filter((id) => id !== ""))];
  const faults = ids
    .filter((id) => !TENANT_ID.test(id))
    .map((id) => `${JSON.stringify(id.slice(0, 40))} is no tenant's id; one is ten_ and 16 hex digits`);
  if (ids.length > SHOWN_TENANTS_MAX) faults.push(`at most ${SHOWN_TENANTS_MAX} tenants, not ${ids.length}`);
  return faults.length === 0 ? { ok: true, rules: ids } : { ok: false, faults };
}
