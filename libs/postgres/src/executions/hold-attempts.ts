import type { AttemptKey } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import type { Statements } from "../statements.ts";
import { IN_BATCH, is } from "./by-id.ts";
import { inIdOrder } from "./id-order.ts";

// An attempt is held while its execution is running with its number. A lease that has run out is still held until a
// sweep takes it, so it may be renewed; but no effect may start under it, since the sweep may come at any moment.

export const MARK_EFFECT = `/* executions.mark_effect */
UPDATE executions AS e SET effects = true, lease_until = greatest(e.lease_until, now() + a.lease_ms * interval '1 ms')
FROM unnest($1::text[], $2::text[], $3::int[], $4::float8[]) AS a(id, tenant_id, attempt, lease_ms)
WHERE e.id = a.id AND ${IN_BATCH} AND e.tenant_id = a.tenant_id AND e.attempt = a.attempt
  AND ${is("e.status", "'running'")} AND e.lease_until > now()
RETURNING e.id, e.tenant_id, e.attempt`;

export const RENEW_LEASE = `/* executions.renew_lease */
UPDATE executions AS e SET lease_until = now() + $4::float8 * interval '1 ms'
FROM unnest($1::text[], $2::text[], $3::int[]) AS a(id, tenant_id, attempt)
WHERE e.id = a.id AND ${IN_BATCH} AND e.tenant_id = a.tenant_id AND e.attempt = a.attempt
  AND ${is("e.status", "'running'")}
RETURNING e.id, e.tenant_id, e.attempt`;

interface AttemptRow {
  id: string;
  tenant_id: string;
  attempt: number;
}

export interface Mark {
  attempt: AttemptKey;
  leaseMs: number;
}

/** For each attempt whether its effect may happen; the same attempt may be there more than once. */
export async function markEffects(statements: Statements, batch: Mark[]): Promise<boolean[]> {
  const items = inIdOrder(batch, ({ attempt }) => attempt.executionId);
  const rows = await statements.$queryRawUnsafe<AttemptRow[]>(
    MARK_EFFECT,
    items.map(({ item }) => item.attempt.executionId),
    items.map(({ item }) => item.attempt.tenantId),
    items.map(({ item }) => item.attempt.attempt),
    items.map(({ item }) => item.leaseMs),
  );
  const held = new Set(rows.map((row) => `${row.id}-${row.attempt}-${row.tenant_id}`));
  return batch.map(({ attempt: key }) => held.has(`${key.executionId}-${key.attempt}-${key.tenantId}`));
}

/** Answers the attempts that are still held. */
export async function renewLeases(
  client: PrismaClient,
  attempts: AttemptKey[],
  leaseMs: number,
): Promise<AttemptKey[]> {
  if (attempts.length === 0) return [];
  const rows = await client.$queryRawUnsafe<AttemptRow[]>(RENEW_LEASE, ...attemptColumns(attempts), leaseMs);
  return rows.map((row) => ({ executionId: row.id, tenantId: row.tenant_id, attempt: row.attempt }));
}

function attemptColumns(batch: AttemptKey[]): [string[], string[], number[]] {
  const items = inIdOrder(batch, (key) => key.executionId);
  return [
    items.map(({ item }) => item.executionId),
    items.map(({ item }) => item.tenantId),
    items.map(({ item }) => item.attempt),
  ];
}
