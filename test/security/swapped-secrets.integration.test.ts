import { randomBytes } from "node:crypto";
import { createEntry, createService, serviceConfigs } from "@bulkhead/tenants";
import { openDatabase, type Database } from "@bulkhead/postgres";
import {
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type TenantPrincipal,
} from "@bulkhead/core";
import { Secret } from "@bulkhead/process/settings";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { openLocalVault } from "@bulkhead/tenants/vault";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

leakCheck();

const MASTER = new Secret(randomBytes(32).toString("base64"));
const [A, B] = [newTenantId(), newTenantId()];
const SERVICES = ["mail", "pay"];
const LABELS = ["main", "second"];
const FIELDS = ["key", "password"];

let anchor: TestDatabase;
let database: Database;
beforeAll(async () => {
  anchor = await openTestDatabase();
  database = await openDatabase({ url: anchor.url, poolMax: 3 });
  for (const tenantId of [A, B]) await fill(tenantId);
  await anchor.execute("CREATE TABLE saved_entries AS TABLE config_entries");
  await anchor.execute("CREATE TABLE saved_keys AS TABLE data_keys");
});
afterEach(async () => {
  await anchor.execute(
    "DELETE FROM config_entries; INSERT INTO config_entries TABLE saved_entries; DELETE FROM data_keys; INSERT INTO data_keys TABLE saved_keys",
  );
});
afterAll(async () => {
  await database.close();
  await anchor.close();
});

/** A process that starts now. */
const openVault = () => openLocalVault({ current: MASTER, old: [] }, database.dataKeys);

/** Each value tells its place. */
const valueOf = (...place: string[]): string => `value-of-${place.join("-")}`;

async function fill(tenantId: string): Promise<void> {
  const at = new Date();
  const limits = TENANT_LIMITS_DEFAULT;
  await database.tenants.create({
    id: tenantId,
    slug: tenantId,
    name: tenantId,
    limits,
    settings: TENANT_SETTINGS_DEFAULT,
    createdAt: at,
  });
  const by: TenantPrincipal = {
    role: "owner",
    keyId: "key_1",
    tenantId,
    agentId: null,
    limits,
    limitsAsOf: at,
    approval: TENANT_SETTINGS_DEFAULT.approval,
  };
  const deps = {
    configServices: database.configServices,
    vault: await openVault(),
    audit: { record: async () => undefined },
    clock: () => new Date(),
  };
  const configSchema = FIELDS.map((name) => ({ name, type: "secret" as const, required: true }));
  for (const name of SERVICES) {
    await createService(deps, by, { name, configSchema, multiEntry: true });
    for (const label of LABELS) {
      const data = Object.fromEntries(FIELDS.map((field) => [field, valueOf(tenantId, name, label, field)]));
      await createEntry(deps, by, name, { label, data, isDefault: false, allowWeak: false });
    }
  }
}

/** What an execution of the tenant would be given: all its secrets. */
async function open(tenantId: string): Promise<string[]> {
  const configs = serviceConfigs({ configServices: database.configServices, vault: await openVault() });
  const services = await configs.open(tenantId, SERVICES);
  return services
    .flatMap(({ entries }) => entries.flatMap(({ secrets }) => secrets.map(({ value }) => value)))
    .toSorted((one, other) => one.localeCompare(other));
}

async function expectShut(tenantId: string): Promise<void> {
  const fault = await open(tenantId).catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "vault.unreadable" });
  expect(JSON.stringify(fault) + String(fault) + (fault as Error).stack).not.toContain("value-of");
}

test("every secret opens in its place", async () => {
  for (const tenantId of [A, B]) {
    const values = SERVICES.flatMap((name) =>
      LABELS.flatMap((label) => FIELDS.map((field) => valueOf(tenantId, name, label, field))),
    );
    expect(await open(tenantId)).toEqual(values.toSorted((one, other) => one.localeCompare(other)));
  }
});

test.each([
  ["tenant", [B, "mail", "main", "key"]],
  ["service", [A, "pay", "main", "key"]],
  ["entry", [A, "mail", "second", "key"]],
  ["field", [A, "mail", "main", "password"]],
])("the ciphertext of another %s stays shut", async (_what, [tenantId, service, label, field]) => {
  await anchor.execute(`
    UPDATE config_entries SET secrets = jsonb_set(secrets::jsonb, '{key,sealed}', (
      SELECT secrets::jsonb->'${field}'->'sealed' FROM config_entries
      WHERE tenant_id = '${tenantId}' AND service = '${service}' AND label = '${label}'))::json
    WHERE tenant_id = '${A}' AND service = 'mail' AND label = 'main'`);
  await expectShut(A);
});

test.each([
  ["tenant", `tenant_id = '${B}' AND service = 'mail' AND label = 'main'`],
  ["service", `tenant_id = '${A}' AND service = 'pay' AND label = 'main'`],
  ["entry", `tenant_id = '${A}' AND service = 'mail' AND label = 'second'`],
])("a whole row of another %s stays shut", async (_what, row) => {
  await anchor.execute(`
    DELETE FROM config_entries WHERE tenant_id = '${A}' AND service = 'mail' AND label = 'main';
    UPDATE config_entries SET tenant_id = '${A}', service = 'mail', label = 'main' WHERE ${row}`);
  await expectShut(A);
});

test.each([
  ["its wrapping", "wrapped = o.wrapped"],
  ["its wrapping and its use", "wrapped = o.wrapped, use = 'other'"],
])("a data key with %s of another tenant opens nothing", async (_what, change) => {
  await anchor.execute(
    `UPDATE data_keys AS k SET ${change} FROM saved_keys AS o WHERE k.tenant_id = '${A}' AND o.tenant_id = '${B}'`,
  );
  await expectShut(A);
  expect(await open(B)).toHaveLength(8);
});

test("another tenant's data key and rows together open nothing", async () => {
  await anchor.execute(`
    DELETE FROM data_keys WHERE tenant_id = '${A}';
    DELETE FROM config_entries WHERE tenant_id = '${A}';
    UPDATE data_keys SET tenant_id = '${A}' WHERE tenant_id = '${B}';
    UPDATE config_entries SET tenant_id = '${A}' WHERE tenant_id = '${B}'`);
  await expectShut(A);
});
