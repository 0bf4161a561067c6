import {
  AUDIT_ACTIONS,
  DELETION_KINDS,
  type DeletionKind,
  type Json,
  type NewAuditEntry,
  type TenantDeletionStore,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readObject } from "../stored-json.ts";
import { DROP_AUDIT, dropStatement, FINISH, PROGRESS } from "./deletion-kinds.ts";
import { findTenant } from "./tenant-store.ts";

/** Deletions of tenants in PostgreSQL. What it throws is a Fault. */
export const openTenantDeletionStore = (client: PrismaClient): TenantDeletionStore => ({
  begin: (tenantId, said) => faulting(() => begin(client, tenantId, said)),
  progress: (tenantId) =>
    faulting(async () => {
      const [row] = await client.$queryRawUnsafe<{ since: Date; gone: Json; left: Json }[]>(
        PROGRESS,
        tenantId,
      );
      return row ? { requestedAt: row.since, gone: countsOf(row.gone), left: countsOf(row.left) } : null;
    }),
  claim: (leaseMs) => faulting(() => claim(client, leaseMs)),
  release: (tenantId, dueInMs) =>
    faulting(async () => {
      // In SQL, since leases are by the database's clock.
      await client.$executeRaw`
        UPDATE tenants SET deletion_due_at = now() + ${dueInMs}::float8 * interval '1 ms'
        WHERE id = ${tenantId} AND deleting_at IS NOT NULL`;
    }),
  listOpen: (tenantId, limit) =>
    faulting(async () => {
      const rows = await client.execution.findMany({
        where: { tenantId, status: { in: ["awaiting_approval", "queued", "running"] } },
        select: { id: true },
        take: limit,
      });
      return rows.map(({ id }) => ({ tenantId, executionId: id }));
    }),
  dropSchedules: (tenantId) => faulting(() => drop(client, tenantId, "schedules")),
  drop: (tenantId, kind) =>
    faulting(async () => {
      if (kind !== "auditEntries") return (await drop(client, tenantId, kind)).length;
      const [row] = await client.$queryRawUnsafe<{ count: number }[]>(DROP_AUDIT, tenantId);
      return row?.count ?? 0;
    }),
  finish: (tenantId) =>
    faulting(async () => {
      if ((await client.$executeRawUnsafe(FINISH, tenantId)) > 0) return true;
      return (await client.tenant.count({ where: { id: tenantId } })) === 0;
    }),
});

/** Kinds of which there are none are left out. */
function countsOf(json: Json): Partial<Record<DeletionKind, number>> {
  const counts = readObject(json);
  const some = DELETION_KINDS.map((kind) => [kind, Number(counts[kind] ?? 0)] as const);
  return Object.fromEntries(some.filter(([, count]) => count > 0));
}

// In SQL, since a tenant is marked and loses its keys in one step. $1 is the tenant, $2 and on the audit entry. The lock
// lets one of several at once do it; the others find it done.
const BEGIN = `/* tenants.begin_deletion */
WITH target AS MATERIALIZED (
  SELECT id FROM tenants WHERE id = $1 AND deleting_at IS NULL FOR UPDATE
), api AS (
  DELETE FROM api_keys AS k USING target WHERE k.tenant_id = target.id RETURNING k.id
), data AS (
  DELETE FROM data_keys AS k USING target WHERE k.tenant_id = target.id RETURNING k.id
), said AS (
  INSERT INTO audit_entries (id, tenant_id, action, subject_type, subject_id, subject_name, role, key_id, request_id)
  SELECT $2, target.id, $3, $4, target.id, $5, $6, $7, $8 FROM target
)
UPDATE tenants AS n SET deleting_at = now(), deletion_due_at = now(), updated_at = now(),
  deleted_rows = jsonb_build_object('apiKeys', (SELECT count(*) FROM api), 'dataKeys', (SELECT count(*) FROM data))
FROM target WHERE n.id = target.id
RETURNING (SELECT coalesce(array_agg(id), '{}') FROM api) AS keys`;

async function begin(
  client: PrismaClient,
  tenantId: string,
  said: NewAuditEntry,
): ReturnType<TenantDeletionStore["begin"]> {
  const { entryId, action, name, role, keyId, requestId } = said;
  const subject = AUDIT_ACTIONS[action];
  const values = [tenantId, entryId, action, subject, name, role, keyId, requestId];
  const [begun] = await client.$queryRawUnsafe<{ keys: string[] }[]>(BEGIN, ...values);
  const tenant = await findTenant(client, { id: tenantId });
  return tenant && { tenant, isNew: begun !== undefined, keyIds: begun?.keys ?? [] };
}

/** In SQL, since what another worker is about to claim is passed over. */
async function claim(client: PrismaClient, leaseMs: number): ReturnType<TenantDeletionStore["claim"]> {
  const [row] = await client.$queryRaw<{ id: string; aged_ms: number }[]>`
    UPDATE tenants SET deletion_due_at = now() + ${leaseMs}::float8 * interval '1 ms' WHERE id = (
      SELECT id FROM tenants WHERE deleting_at IS NOT NULL AND deletion_due_at <= now()
      ORDER BY deletion_due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, (extract(epoch FROM now() - deleting_at) * 1000)::float8 AS aged_ms`;
  return row ? { tenantId: row.id, agedMs: row.aged_ms } : null;
}

async function drop(
  client: PrismaClient,
  tenantId: string,
  kind: Parameters<typeof dropStatement>[0],
): Promise<string[]> {
  const rows = await client.$queryRawUnsafe<{ id: string }[]>(dropStatement(kind), tenantId);
  return rows.map(({ id }) => id);
}
