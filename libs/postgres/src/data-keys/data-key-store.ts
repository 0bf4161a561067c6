import type { DataKey, DataKeyPage, DataKeyStore, InheritedKey, Rewrapping } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { openMasterKeyList } from "./master-key-list.ts";

const COLUMNS = Prisma.raw(`id, tenant_id AS "tenantId", use, wrapped, master_key_id AS "masterKeyId"`);

/** Wrapped keys in PostgreSQL. What it throws is a Fault. */
export const openDataKeyStore = (client: PrismaClient): DataKeyStore => ({
  list: (tenantId) => faulting(() => listKeys(client, tenantId)),
  insert: (key) => faulting(() => insertKey(client, key)),
  countByMasterKey: () => faulting(() => countByMasterKey(client)),
  listWrappedByOthers: (masterKeyId, page) => faulting(() => listWrappedByOthers(client, masterKeyId, page)),
  listInherited: (page) => faulting(() => listInherited(client, page)),
  rewrap: (rewrappings) => faulting(() => rewrap(client, rewrappings)),
  ...openMasterKeyList(client),
});

const listKeys = (client: PrismaClient, tenantId: string): Promise<DataKey[]> =>
  client.$queryRaw<DataKey[]>`
    SELECT ${COLUMNS} FROM data_keys WHERE tenant_id = ${tenantId} AND wrapped IS NOT NULL`;

/** Whoever loses waits for the winner's commit, so that a look afterwards finds the winner's key. */
async function insertKey(client: PrismaClient, key: DataKey): Promise<void> {
  await client.$executeRaw`
    INSERT INTO data_keys (id, tenant_id, use, wrapped, master_key_id, wrapped_at)
    SELECT ${key.id}, t.id, ${key.use}, ${key.wrapped}, ${key.masterKeyId}, now() FROM tenants AS t
    WHERE t.id = ${key.tenantId} AND t.deleting_at IS NULL
    ON CONFLICT (tenant_id, use) DO NOTHING`;
}

async function countByMasterKey(client: PrismaClient): Promise<Map<string, number>> {
  const rows = await client.$queryRaw<{ id: string; count: number }[]>`
    SELECT master_key_id AS id, count(*)::int AS count FROM data_keys
    WHERE master_key_id IS NOT NULL GROUP BY master_key_id ORDER BY master_key_id`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const listWrappedByOthers = (
  client: PrismaClient,
  masterKeyId: string,
  { after, countMax }: DataKeyPage,
): Promise<DataKey[]> =>
  client.$queryRaw<DataKey[]>`
    SELECT ${COLUMNS} FROM data_keys
    WHERE wrapped IS NOT NULL AND master_key_id <> ${masterKeyId} AND id > ${after ?? ""}
    ORDER BY id LIMIT ${countMax}::int`;

const listInherited = (client: PrismaClient, { after, countMax }: DataKeyPage): Promise<InheritedKey[]> =>
  client.$queryRaw<InheritedKey[]>`
    SELECT id, tenant_id AS "tenantId", use, master_key_id AS "masterKeyId" FROM data_keys
    WHERE wrapped IS NULL AND id > ${after ?? ""} ORDER BY id LIMIT ${countMax}::int`;

/** One statement, so that a page of keys is rewrapped as a whole or not at all. */
const rewrap = (client: PrismaClient, rewrappings: readonly Rewrapping[]): Promise<number> =>
  client.$executeRaw`
    UPDATE data_keys AS k SET wrapped = r.wrapped, master_key_id = r.master_key_id, wrapped_at = now()
    FROM unnest(${rewrappings.map(({ id }) => id)}::text[], ${rewrappings.map(({ before }) => before)}::text[],
      ${rewrappings.map(({ wrapped }) => wrapped)}::text[],
      ${rewrappings.map(({ masterKeyId }) => masterKeyId)}::text[]) AS r(id, before, wrapped, master_key_id)
    WHERE k.id = r.id AND k.wrapped IS NOT DISTINCT FROM r.before`;
