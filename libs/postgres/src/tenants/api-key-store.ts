import { TENANT_ROLES, type ApiKey, type ApiKeyStore, type TenantRole } from "@bulkhead/core";
import type { ApiKey as StoredKey, PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { toTenant, type TenantRow } from "./tenant-store.ts";

/** API keys in PostgreSQL, by their SHA-256 only. What it throws is a Fault. */
export const openApiKeyStore = (client: PrismaClient): ApiKeyStore => ({
  create: (key, sha256) =>
    faulting(async () => toApiKey(await client.apiKey.create({ data: { ...key, sha256 } }))),
  findByHash: (sha256) => faulting(() => findByHash(client, sha256)),
  list: (tenantId) =>
    faulting(async () => {
      const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
      return (await client.apiKey.findMany({ where: { tenantId }, orderBy })).map(toApiKey);
    }),
  delete: (tenantId, keyId) =>
    faulting(async () => {
      const [deleted] = await client.$queryRaw<{ sha256: string; name: string }[]>`
        DELETE FROM api_keys WHERE id = ${keyId} AND tenant_id = ${tenantId} RETURNING sha256, name`;
      return deleted ?? null;
    }),
});

interface KeyWithTenantRow extends TenantRow {
  key_id: string;
  key_name: string;
  role: string;
  agent_id: string | null;
  key_created_at: Date;
}

const FIND_BY_HASH = `/* api_keys.find_by_hash */
SELECT k.id AS key_id, k.name AS key_name, k.role, k.agent_id, k.created_at AS key_created_at,
  n.id, n.slug, n.name, n.limits, n.settings, n.created_at, n.updated_at, n.deleting_at
FROM api_keys AS k JOIN tenants AS n ON n.id = k.tenant_id WHERE k.sha256 = $1
  AND n.deleting_at IS NULL`;

/** One indexed look-up: every request that no cache answers begins with it. */
async function findByHash(client: PrismaClient, sha256: string): ReturnType<ApiKeyStore["findByHash"]> {
  const [row] = await client.$queryRawUnsafe<KeyWithTenantRow[]>(FIND_BY_HASH, sha256);
  if (!row) return null;
  const { key_id: id, key_name: name, role, agent_id: agentId, key_created_at: createdAt } = row;
  return { key: toApiKey({ id, name, role, agentId, createdAt, tenantId: row.id }), tenant: toTenant(row) };
}

const toApiKey = ({ id, tenantId, name, role, agentId, createdAt }: Omit<StoredKey, "sha256">): ApiKey => ({
  id,
  tenantId,
  name,
  role: readRole(role),
  agentId,
  createdAt,
});

/** A role that this build does not know may only read. */
const readRole = (role: string): TenantRole => TENANT_ROLES.find((known) => known === role) ?? "viewer";
