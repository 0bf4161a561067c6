import { TENANT_ROLES, type ApiKey, type ApiKeyStore, type TenantRole } from "@bulkhead/core";
import type { Prisma, PrismaClient } from "../generated/client.ts";
import { faulting, nullIfGone } from "../sql-trouble.ts";
import { TENANT_COLUMNS, toTenant, type TenantRow } from "./tenant-store.ts";

/** API keys in PostgreSQL, by their SHA-256 only. What it throws is a Fault. */
export const openApiKeyStore = (client: PrismaClient): ApiKeyStore => ({
  create: (key, sha256) =>
    faulting(async () =>
      toApiKey(await client.apiKey.create({ data: { ...key, sha256 }, omit: { sha256: true } })),
    ),
  findByHash: (sha256) => faulting(() => findByHash(client, sha256)),
  list: (tenantId) =>
    faulting(async () => {
      const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
      const rows = await client.apiKey.findMany({ where: { tenantId }, orderBy, omit: { sha256: true } });
      return rows.map(toApiKey);
    }),
  delete: (tenantId, id) =>
    faulting(() =>
      nullIfGone(client.apiKey.delete({ where: { id, tenantId }, select: { sha256: true, name: true } })),
    ),
});

type KeyRow = Prisma.ApiKeyGetPayload<{ omit: { sha256: true } }>;

interface KeyWithTenantRow extends TenantRow, Pick<KeyRow, "role" | "agentId"> {
  keyId: string;
  keyName: string;
  keyCreatedAt: Date;
}

// In SQL, since every request that no cache answers begins with it: the client takes twice as long (0.64 ms instead of 0.28).
const FIND_BY_HASH = `/* api_keys.find_by_hash */
SELECT k.id AS "keyId", k.name AS "keyName", k.role, k.agent_id AS "agentId", k.created_at AS "keyCreatedAt",
  ${TENANT_COLUMNS}
FROM api_keys AS k JOIN tenants AS n ON n.id = k.tenant_id WHERE k.sha256 = $1
  AND n.deleting_at IS NULL`;

async function findByHash(client: PrismaClient, sha256: string): ReturnType<ApiKeyStore["findByHash"]> {
  const [row] = await client.$queryRawUnsafe<KeyWithTenantRow[]>(FIND_BY_HASH, sha256);
  if (!row) return null;
  const { keyId: id, keyName: name, role, agentId, keyCreatedAt: createdAt, ...tenant } = row;
  return {
    key: toApiKey({ id, name, role, agentId, createdAt, tenantId: tenant.id }),
    tenant: toTenant(tenant),
  };
}

const toApiKey = (row: KeyRow): ApiKey => ({ ...row, role: readRole(row.role) });

/** A role that this build does not know may only read. */
const readRole = (role: string): TenantRole => TENANT_ROLES.find((known) => known === role) ?? "viewer";
