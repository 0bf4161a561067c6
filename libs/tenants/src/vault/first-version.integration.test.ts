import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase, type Database } from "@bulkhead/postgres";
import type { Secret } from "@bulkhead/process/settings";
import { isNightly, leakCheck, openTestDatabase, queryRows, type TestDatabase } from "@bulkhead/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFirstVault } from "./fixtures/first-vault.ts";
import { makeMasterKey, masterKeys } from "./fixtures/master-keys.ts";
import { newTenants } from "./fixtures/tenants.ts";
import { openLocalKeys } from "./local-keys.ts";
import { openLocalVault } from "./open-local-vault.ts";
import { rotateKeys } from "./rotate-keys.ts";

leakCheck();

const MIGRATION = "../../../../prisma/migrations/20261122001000_data_keys/migration.sql";
const OLD = makeMasterKey();
const NEW = makeMasterKey();

let anchor: TestDatabase;
let database: Database;
let tenantId: string;
beforeEach(async () => {
  anchor = await openTestDatabase();
  database = await openDatabase({ url: anchor.url, poolMax: 3 });
  [tenantId = ""] = await newTenants(database, 1);
  await database.webhookSecrets.rotate(tenantId);
});
afterEach(async () => {
  await database.close();
  await anchor.close();
});

/** Runs the migration's statement on the present rows. */
async function noteInherited(): Promise<void> {
  const text = await readFile(join(import.meta.dirname, MIGRATION), "utf8");
  await anchor.execute(text.slice(text.indexOf('INSERT INTO "data_keys"')));
}

const start = (current: Secret, ...old: Secret[]) =>
  openLocalVault(masterKeys(current, ...old), database.dataKeys);
const webhook = () => ({ tenantId, purpose: "webhook" });
const callback = () => ({ tenantId, purpose: "callback.secret" });

test("what the first version sealed and derived stays as it was, also after its master key has gone", async () => {
  const first = openFirstVault(OLD);
  const sealed = first.seal("hunter2", callback());
  await noteInherited();
  const check = async (...held: [Secret, ...Secret[]]): Promise<void> => {
    const vault = await start(...held);
    expect(await vault.open(sealed, callback())).toBe("hunter2");
    await expect(vault.open(sealed, webhook())).rejects.toMatchObject({ code: "vault.unreadable" });
    for (const generation of [1, 2])
      expect(await vault.derive(webhook(), generation)).toEqual(first.derive(webhook(), generation));
    // A later generation is derived anew.
    expect(await vault.derive(webhook(), 3)).not.toEqual(first.derive(webhook(), 3));
  };
  await check(OLD);
  await check(NEW, OLD);
  const keys = openLocalKeys(masterKeys(NEW, OLD));
  const { dataKeys } = database;
  const rotation = { keys, dataKeys, tell: () => undefined, stopping: new AbortController().signal };
  expect(await rotateKeys(rotation)).toMatchObject({ unreadable: [], complete: true });
  await check(NEW);
});

test.runIf(isNightly)("at a first start with both keys it comes from the old one", async () => {
  await noteInherited();
  const vault = await start(NEW, OLD);
  expect(await vault.derive(webhook(), 2)).toEqual(openFirstVault(OLD).derive(webhook(), 2));
});

test.runIf(isNightly)("several processes that start at once wrap it once", async () => {
  await noteInherited();
  await Promise.all([start(OLD), start(OLD), start(OLD)]);
  const vault = await start(OLD);
  expect(await vault.derive(webhook(), 1)).toEqual(openFirstVault(OLD).derive(webhook(), 1));
  expect(await queryRows(anchor.url, "SELECT id FROM data_keys WHERE wrapped IS NULL")).toEqual([]);
});

test("where a sealed text tells the master key, a start with another is refused", async () => {
  const sealed = openFirstVault(OLD).seal("hunter2", callback());
  await anchor.execute(`
    INSERT INTO deliveries (execution_id, n, tenant_id, url, sealed_secret, due_at, retry_until)
    VALUES ('exe_1', 1, '${tenantId}', 'https://hooks.example/', '${sealed}', now(), now())`);
  await noteInherited();
  await expect(start(NEW)).rejects.toThrow(openFirstVault(OLD).keyId);
  expect(await (await start(OLD)).open(sealed, callback())).toBe("hunter2");
});
