import { type Tenant, type TenantStore, Fault } from "@bulkhead/core";
import { readTenantSettings } from "../approvals/approval-json.ts";
import { columns } from "../columns.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting, violatedIndexOf } from "../sql-trouble.ts";
import { jsonInput, readTenantLimits } from "../stored-json.ts";

export const TENANT_FIELDS = {
  id: true,
  slug: true,
  name: true,
  limits: true,
  settings: true,
  createdAt: true,
  updatedAt: true,
  deletingAt: true,
  policyVersion: true,
  mcpVersion: true,
} as const satisfies Prisma.TenantSelect;

export type TenantRow = Prisma.TenantGetPayload<{ select: typeof TENANT_FIELDS }>;

/** Of a tenant `n`, as `TenantRow` has them. */
export const TENANT_COLUMNS = columns("n", TENANT_FIELDS);

export const toTenant = ({
  limits,
  settings,
  deletingAt,
  policyVersion,
  mcpVersion,
  ...row
}: TenantRow): Tenant => ({
  ...row,
  limits: readTenantLimits(limits),
  settings: readTenantSettings(settings),
  ...(deletingAt && { deletingAt }),
  // Both only rise, and so does their sum.
  ...(policyVersion + mcpVersion > 0 && { policyVersion: policyVersion + mcpVersion }),
});

/** Tenants in PostgreSQL. What it throws is a Fault. */
export const openTenantStore = (client: PrismaClient): TenantStore => ({
  create: (tenant) => faulting(() => createTenant(client, tenant)),
  find: (id) => faulting(() => findTenant(client, { id })),
  findBySlug: (slug) => faulting(() => findTenant(client, { slug })),
  findAll: (tenantIds) => faulting(() => findTenants(client, tenantIds)),
  list: (page) => faulting(() => listTenants(client, page)),
  update: (tenantId, change) => faulting(() => updateTenant(client, tenantId, change)),
});

async function createTenant(client: PrismaClient, tenant: Omit<Tenant, "updatedAt">): Promise<Tenant> {
  const created = { ...tenant, updatedAt: tenant.createdAt };
  try {
    await client.tenant.create({
      data: { ...created, limits: jsonInput(tenant.limits), settings: jsonInput(tenant.settings) },
      select: { id: true },
    });
  } catch (cause) {
    if (violatedIndexOf(cause) === "tenants_slug_key") throw new Fault("tenant.slug_taken", { cause });
    throw cause;
  }
  return created;
}

export async function findTenant(
  client: PrismaClient,
  where: Prisma.TenantWhereUniqueInput,
): Promise<Tenant | null> {
  const row = await client.tenant.findUnique({ where, select: TENANT_FIELDS });
  return row && toTenant(row);
}

async function findTenants(client: PrismaClient, tenantIds: readonly string[]): Promise<Tenant[]> {
  const rows = await client.tenant.findMany({ where: { id: { in: [...tenantIds] } }, select: TENANT_FIELDS });
  return rows.map(toTenant);
}

/** By time of creation, then id; the tenant that a page goes on behind must still be there, else it is empty. */
async function listTenants(
  client: PrismaClient,
  { before, limit }: { before?: string; limit: number },
): Promise<Tenant[]> {
  const last =
    before === undefined
      ? undefined
      : await client.tenant.findUnique({ where: { id: before }, select: TENANT_FIELDS });
  if (last === null) return [];
  const rows = await client.tenant.findMany({
    // The bound on the time alone is what the index is entered by.
    ...(last && {
      where: {
        createdAt: { lte: last.createdAt },
        OR: [{ createdAt: { lt: last.createdAt } }, { id: { lt: last.id } }],
      },
    }),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: TENANT_FIELDS,
  });
  return rows.map(toTenant);
}

/** In SQL, since limits and settings are merged in the database, so that of two changes at once neither is lost. */
async function updateTenant(
  client: PrismaClient,
  tenantId: string,
  change: Parameters<TenantStore["update"]>[1],
): Promise<Tenant | null> {
  const [row] = await client.$queryRaw<TenantRow[]>`
    UPDATE tenants AS n SET name = coalesce(${change.name ?? null}::text, name),
      limits = limits || ${JSON.stringify(change.limits ?? {})}::jsonb, settings = settings
        || ${JSON.stringify({ ...change.settings, approval: undefined })}::jsonb
        || jsonb_build_object('approval', coalesce(settings->'approval', '{}') || ${JSON.stringify(change.settings?.approval ?? {})}::jsonb),
      updated_at = now()
    WHERE id = ${tenantId} AND deleting_at IS NULL
    RETURNING ${Prisma.raw(TENANT_COLUMNS)}`;
  return row ? toTenant(row) : null;
}
