import { type Json, type Tenant, type TenantStore, Fault } from "@bulkhead/core";
import { readTenantSettings } from "../approvals/approval-json.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting, violatedIndexOf } from "../sql-trouble.ts";
import { readTenantLimits } from "../stored-json.ts";

export interface TenantRow {
  id: string;
  slug: string;
  name: string;
  limits: Json;
  settings: Json;
  created_at: Date;
  updated_at: Date;
  deleting_at: Date | null;
}

export const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  limits: readTenantLimits(row.limits),
  settings: readTenantSettings(row.settings),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.deleting_at && { deletingAt: row.deleting_at }),
});

export const TENANT_COLUMNS = "id, slug, name, limits, settings, created_at, updated_at, deleting_at";
const COLUMNS = Prisma.raw(TENANT_COLUMNS);

/** Tenants in PostgreSQL. What it throws is a Fault. */
export const openTenantStore = (client: PrismaClient): TenantStore => ({
  create: (tenant) => faulting(() => createTenant(client, tenant)),
  find: (tenantId) => faulting(() => findTenant(client, Prisma.sql`id = ${tenantId}`)),
  findBySlug: (slug) => faulting(() => findTenant(client, Prisma.sql`slug = ${slug}`)),
  list: (page) => faulting(() => listTenants(client, page)),
  update: (tenantId, change) => faulting(() => updateTenant(client, tenantId, change)),
});

async function createTenant(client: PrismaClient, tenant: Omit<Tenant, "updatedAt">): Promise<Tenant> {
  try {
    await client.$executeRaw`
      INSERT INTO tenants (id, slug, name, limits, settings, created_at, updated_at)
      VALUES (${tenant.id}, ${tenant.slug}, ${tenant.name}, ${JSON.stringify(tenant.limits)}::jsonb,
        ${JSON.stringify(tenant.settings)}::jsonb, ${tenant.createdAt}::timestamptz, ${tenant.createdAt}::timestamptz)`;
  } catch (cause) {
    if (violatedIndexOf(cause) === "tenants_slug_key") throw new Fault("tenant.slug_taken", { cause });
    throw cause;
  }
  return { ...tenant, updatedAt: tenant.createdAt };
}

async function findTenant(client: PrismaClient, condition: Prisma.Sql): Promise<Tenant | null> {
  const [row] = await client.$queryRaw<TenantRow[]>`SELECT ${COLUMNS} FROM tenants WHERE ${condition}`;
  return row ? toTenant(row) : null;
}

/** By time of creation, then id; the tenant that a page goes on behind must still be there, else it is empty. */
async function listTenants(
  client: PrismaClient,
  page: { before?: string; limit: number },
): Promise<Tenant[]> {
  const behind =
    page.before === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(created_at, id) < (SELECT created_at, id FROM tenants WHERE id = ${page.before})`;
  const rows = await client.$queryRaw<TenantRow[]>`
    SELECT ${COLUMNS} FROM tenants WHERE ${behind} ORDER BY created_at DESC, id DESC LIMIT ${page.limit}::int`;
  return rows.map(toTenant);
}

/** Limits and settings are merged in the database, so that of two changes at once neither is lost. */
async function updateTenant(
  client: PrismaClient,
  tenantId: string,
  change: Parameters<TenantStore["update"]>[1],
): Promise<Tenant | null> {
  const [row] = await client.$queryRaw<TenantRow[]>`
    UPDATE tenants SET name = coalesce(${change.name ?? null}::text, name),
      limits = limits || ${JSON.stringify(change.limits ?? {})}::jsonb, settings = settings
        || ${JSON.stringify({ ...change.settings, approval: undefined })}::jsonb
        || jsonb_build_object('approval', coalesce(settings->'approval', '{}') || ${JSON.stringify(change.settings?.approval ?? {})}::jsonb),
      updated_at = now()
    WHERE id = ${tenantId} AND deleting_at IS NULL
    RETURNING ${COLUMNS}`;
  return row ? toTenant(row) : null;
}
