/** How many tenants one round looks at: two index look-ups each. */
export const TENANTS_PER_ROUND_MAX = 1_000;

/**
 * A recursive CTE `walk` (tenant_id, step) over the tenants behind $1 that have rows of a queue table. It steps from tenant to
 * tenant through the index on (tenant_id, …), so that the depth of one tenant's backlog costs nobody anything.
 */
export const walkTenants = (table: string, isWaiting = "true"): string => `walk AS (
  (SELECT tenant_id, 1 AS step FROM ${table}
    WHERE ${isWaiting} AND tenant_id > $1 ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT next.tenant_id, w.step + 1 FROM walk AS w CROSS JOIN LATERAL (
    SELECT tenant_id FROM ${table}
    WHERE ${isWaiting} AND tenant_id > w.tenant_id ORDER BY tenant_id LIMIT 1) AS next
  WHERE w.step < ${TENANTS_PER_ROUND_MAX}
)`;

/** Where the walk stopped before it had seen every tenant; null where it had. */
export const WALK_STOPPED_AT = `(SELECT tenant_id FROM walk WHERE step = ${TENANTS_PER_ROUND_MAX})`;

/** Where the next round begins: at the bound of all, what comes behind the last tenant has not been looked at. */
export function nextRound(
  claimed: readonly { tenantId: string }[],
  countMax: number,
  stoppedAt: string | null | undefined,
): string | null {
  const tenants = claimed.map(({ tenantId }) => tenantId).toSorted();
  return (claimed.length === countMax ? tenants.at(-1) : undefined) ?? stoppedAt ?? null;
}
