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

interface Claimed {
  executionId: string;
  tenantId: string;
}

/** A row that a round has claimed, or the one row of a round that claimed none. */
export type Walked<Row extends Claimed> = { stoppedAt: string | null } & (Row | { executionId: null });

/**
 * Tells what a round has claimed, and where the next one begins: at the bound of all, tenants behind the last one have not
 * been looked at.
 */
export function endOfRound<Row extends Claimed>(rows: readonly Walked<Row>[], countMax: number) {
  const claimed = rows.filter((row): row is Row & { stoppedAt: string | null } => row.executionId !== null);
  const last =
    claimed.length === countMax
      ? claimed
          .map(({ tenantId }) => tenantId)
          .toSorted()
          .at(-1)
      : undefined;
  const next = last ?? rows[0]?.stoppedAt ?? null;
  return { claimed: claimed.map(({ stoppedAt: _stoppedAt, ...row }) => row), next };
}
