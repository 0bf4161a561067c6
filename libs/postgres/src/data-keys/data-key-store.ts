import { strict as assert } from "node:assert";
import type { DataKey, DataKeyPage, DataKeyStore, InheritedKey, Rewrapping } from "@bulkhead/core";
import type { Prisma, PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { openMasterKeyList } from "./master-key-list.ts";

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

const KEY = { id: true, tenantId: true, use: true, wrapped: true, masterKeyId: true } as const;
type KeyRow = Prisma.DataKeyGetPayload<{ select: typeof KEY }>;

/** The table's checks give each that is wrapped its master key. */
const toDataKey = ({ wrapped, masterKeyId, ...key }: KeyRow): DataKey => {
  assert(wrapped !== null && masterKeyId !== null, "only wrapped keys are read here");
  return { ...key, wrapped, masterKeyId };
};

async function listKeys(client: PrismaClient, tenantId: string): Promise<DataKey[]> {
  const where = { tenantId, wrapped: { not: null } };
  return (await client.dataKey.findMany({ where, select: KEY })).map(toDataKey);
}

/**
 * The loser of a race waits for the winner's commit, so that it finds the winner's key afterwards. It is SQL, since a tenant that
 * is being deleted gets none.
 */
async function insertKey(client: PrismaClient, key: DataKey): Promise<void> {
  await client.$executeRaw`
    INSERT INTO data_keys (id, tenant_id, use, wrapped, master_key_id, wrapped_at)
    SELECT ${key.id}, t.id, ${key.use}, ${key.wrapped}, ${key.masterKeyId}, now() FROM tenants AS t
    WHERE t.id = ${key.tenantId} AND t.deleting_at IS NULL
    ON CONFLICT (tenant_id, use) DO NOTHING`;
}

async function countByMasterKey(client: PrismaClient): Promise<Map<string, number>> {
  const rows = await client.dataKey.groupBy({
    by: "masterKeyId",
    where: { masterKeyId: { not: null } },
    _count: true,
    orderBy: { masterKeyId: "asc" },
  });
  return new Map(rows.map(({ masterKeyId, _count }) => [masterKeyId ?? "", _count]));
}

async function listWrappedByOthers(
  client: PrismaClient,
  masterKeyId: string,
  { after, countMax }: DataKeyPage,
): Promise<DataKey[]> {
  const rows = await client.dataKey.findMany({
    where: { wrapped: { not: null }, masterKeyId: { not: masterKeyId }, id: { gt: after ?? "" } },
    orderBy: { id: "asc" },
    take: countMax,
    select: KEY,
  });
  return rows.map(toDataKey);
}

const listInherited = (client: PrismaClient, { after, countMax }: DataKeyPage): Promise<InheritedKey[]> =>
  client.dataKey.findMany({
    where: { wrapped: null, id: { gt: after ?? "" } },
    orderBy: { id: "asc" },
    take: countMax,
    select: { id: true, tenantId: true, use: true, masterKeyId: true },
  });

/** In SQL, so that one statement rewraps a page of keys as a whole or not at all. */
const rewrap = (client: PrismaClient, rewrappings: readonly Rewrapping[]): Promise<number> =>
  client.$executeRaw`
    UPDATE data_keys AS k SET wrapped = r.wrapped, master_key_id = r.master_key_id, wrapped_at = now()
    FROM unnest(${rewrappings.map(({ id }) => id)}::text[], ${rewrappings.map(({ before }) => before)}::text[],
      ${rewrappings.map(({ wrapped }) => wrapped)}::text[],
      ${rewrappings.map(({ masterKeyId }) => masterKeyId)}::text[]) AS r(id, before, wrapped, master_key_id)
    WHERE k.id = r.id AND k.wrapped IS NOT DISTINCT FROM r.before`;
