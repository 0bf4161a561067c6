import type { DataKeyStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";

type MasterKeyList = Pick<DataKeyStore, "listMasterKeys" | "admitMasterKeys" | "retireOtherMasterKeys">;

/** The ids of master keys that processes have started with. */
export const openMasterKeyList = (client: PrismaClient): MasterKeyList => ({
  listMasterKeys: () => faulting(() => listMasterKeys(client)),
  admitMasterKeys: (held) => faulting(() => admitMasterKeys(client, held)),
  retireOtherMasterKeys: (masterKeyId) => faulting(() => retireOthers(client, masterKeyId)),
});

async function listMasterKeys(client: PrismaClient): Promise<string[]> {
  const rows = await client.masterKey.findMany({ orderBy: [{ firstUsedAt: "asc" }, { id: "asc" }] });
  return rows.map(({ id }) => id);
}

/**
 * One process at a time: of two that start on an empty list with keys of their own, the second is refused. In SQL for the
 * lock.
 */
async function admitMasterKeys(client: PrismaClient, held: readonly string[]): Promise<boolean> {
  const [, , [answer]] = await client.$transaction([
    client.$executeRaw`LOCK TABLE master_keys IN SHARE ROW EXCLUSIVE MODE`,
    client.$executeRaw`
      INSERT INTO master_keys (id) SELECT ${held[0]}
      WHERE NOT EXISTS (SELECT FROM master_keys)
        OR EXISTS (SELECT FROM master_keys WHERE id = ANY(${[...held]}::text[]))
      ON CONFLICT (id) DO NOTHING`,
    client.$queryRaw<{ admitted: boolean }[]>`
      SELECT EXISTS (SELECT FROM master_keys WHERE id = ANY(${[...held]}::text[])) AS admitted`,
  ]);
  return answer?.admitted === true;
}

/** In SQL, so that no key is wrapped between the look and the change. */
async function retireOthers(client: PrismaClient, masterKeyId: string): Promise<boolean> {
  const [row] = await client.$queryRaw<{ alone: boolean }[]>`
    WITH alone AS (
      SELECT NOT EXISTS (SELECT FROM data_keys WHERE wrapped IS NULL OR master_key_id <> ${masterKeyId}) AS yes
    ), retired AS (
      DELETE FROM master_keys USING alone WHERE alone.yes AND id <> ${masterKeyId}
    )
    SELECT yes AS alone FROM alone`;
  return row?.alone === true;
}
