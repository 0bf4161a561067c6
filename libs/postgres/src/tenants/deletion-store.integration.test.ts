import {
  AUDIT_RETENTION_DAYS_MIN,
  DELETION_KINDS,
  DELETION_LEFT_MAX,
  newAuditId,
  type NewAuditEntry,
  type TenantDeletionStore,
} from "@bulkhead/core";
import { insertWholeTenant, NEVER_TOLD, rowsWith, tablesOf, type WholeTenant } from "@bulkhead/testing";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ROUND } from "../fixtures/deliveries.ts";
import { attemptOf, LEASE_MS, sampleExecution, stored } from "../fixtures/samples.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

let store: TenantDeletionStore;
let whole: WholeTenant;
let other: WholeTenant;

beforeAll(async () => {
  store = database.tenantDeletions;
});
beforeEach(async () => {
  whole = await insertWholeTenant(testDatabase.url);
  other = await insertWholeTenant(testDatabase.url);
});

const saidOf = ({ tenantId, slug }: WholeTenant): NewAuditEntry => ({
  entryId: newAuditId(),
  tenantId,
  action: "tenant.deleted",
  id: tenantId,
  name: slug,
  role: "admin",
  keyId: "admin",
  agentId: null,
  requestId: "req_1",
  beforeHash: null,
  afterHash: null,
  details: {},
});
const begin = (tenant = whole) => store.begin(tenant.tenantId, saidOf(tenant));

async function dropAll({ tenantId }: WholeTenant): Promise<void> {
  for (const kind of DELETION_KINDS) {
    const step = () =>
      kind === "schedules"
        ? store.dropSchedules(tenantId).then((ids) => ids.length)
        : store.drop(tenantId, kind);
    while ((await step()) > 0);
  }
}

/** Tables that have nothing of any tenant. */
const NOBODYS = ["_prisma_migrations", "master_keys"];

test("the tenant of these tests has a row in every table that can have one of a tenant", async () => {
  const filled = Object.keys(await rowsWith(testDatabase.url, whole.mark));
  expect([...filled, ...NOBODYS].toSorted()).toEqual((await tablesOf(testDatabase.url)).toSorted());
});

test("nothing is left of it in any table but the entry that says who did it, and another tenant has all it had", async () => {
  const before = await rowsWith(testDatabase.url, other.mark);
  await begin();
  await dropAll(whole);
  expect(await store.finish(whole.tenantId)).toBe(true);
  expect(await rowsWith(testDatabase.url, whole.mark)).toEqual({ audit_entries: 1 });
  expect(await database.auditEntries.list(whole.tenantId, { limit: 10 })).toMatchObject([
    { action: "tenant.deleted", id: whole.tenantId, name: whole.slug, role: "admin", keyId: "admin" },
  ]);
  expect(await rowsWith(testDatabase.url, other.mark)).toEqual(before);
  expect(await store.progress(whole.tenantId)).toBeNull();
  expect(await store.finish(whole.tenantId)).toBe(true);
});

test("from its beginning no key opens, nothing that was sealed can be opened, and no run of it begins", async () => {
  const execution = sampleExecution(whole.tenantId, { toolId: `tool_${whole.mark}`, toolVersion: 2 });
  await database.executions.insert(execution);
  const sha256 = `${NEVER_TOLD.repeat(3)}${whole.mark}`;
  expect(await database.apiKeys.findByHash(sha256)).not.toBeNull();
  const begun = await begin();
  expect(begun).toMatchObject({
    isNew: true,
    keyIds: [`key_${whole.mark}`],
    tenant: { id: whole.tenantId, deletingAt: expect.any(Date) },
  });
  expect(await database.apiKeys.findByHash(sha256)).toBeNull();
  expect(await database.dataKeys.list(whole.tenantId)).toEqual([]);
  const key = { id: "dk_new", tenantId: whole.tenantId, use: "seal", wrapped: "w", masterKeyId: "m" };
  await database.dataKeys.insert(key);
  expect(await database.dataKeys.list(whole.tenantId)).toEqual([]);
  expect(await database.executions.look(attemptOf(execution))).toMatchObject({ toolStatus: null });
  expect(await database.executions.claim(attemptOf(execution), "worker-1", LEASE_MS)).toMatchObject({
    toolStatus: null,
  });
  expect(await database.tenants.update(whole.tenantId, { name: "Renamed" })).toBeNull();
  expect(await store.listOpen(whole.tenantId, 10)).toEqual([
    { tenantId: whole.tenantId, executionId: execution.executionId },
  ]);
});

test("of several who begin at once one does, and repeating it changes nothing", async () => {
  const begun = await Promise.all([begin(), begin(), begin()]);
  expect(begun.filter((one) => one?.isNew)).toHaveLength(1);
  expect(await begin()).toMatchObject({ isNew: false, keyIds: [] });
  const said = await database.auditEntries.list(whole.tenantId, { action: "tenant.deleted", limit: 10 });
  expect(said).toHaveLength(1);
  expect(await store.begin("ten_0000000000000000", saidOf(whole))).toBeNull();
});

test("no webhook is sent for it any more", async () => {
  for (const tenant of [whole, other])
    await testDatabase.execute(
      `UPDATE deliveries SET status = 'pending', due_at = now() WHERE tenant_id = '${tenant.tenantId}'`,
    );
  await begin();
  const { claimed } = await database.deliveries.claim(ROUND);
  expect(new Set(claimed.map(({ tenantId }) => tenantId))).toEqual(new Set([other.tenantId]));
});

test("how far it is tells what has gone and what is left, by kind", async () => {
  const count = DELETION_LEFT_MAX + 5;
  await testDatabase.execute(`INSERT INTO idempotency_keys (tenant_id, key, body_hash, execution_id)
    SELECT '${whole.tenantId}', n::text, '', '' FROM generate_series(1, ${count}) AS n`);
  expect(await store.progress(whole.tenantId)).toBeNull();
  await begin();
  const first = await store.progress(whole.tenantId);
  expect(first?.gone).toEqual({ apiKeys: 1, dataKeys: 1 });
  expect(first?.left).toMatchObject({
    executions: 3,
    toolVersions: 2,
    idempotencyKeys: DELETION_LEFT_MAX,
    auditEntries: 1,
  });
  // Few at a time.
  const step = await store.drop(whole.tenantId, "idempotencyKeys");
  expect(step).toBe(1_000);
  expect((await store.progress(whole.tenantId))?.gone).toEqual({
    apiKeys: 1,
    dataKeys: 1,
    idempotencyKeys: step,
  });
  await dropAll(whole);
  const last = await store.progress(whole.tenantId);
  expect(last?.left).toEqual({});
  expect(last?.gone).toMatchObject({ idempotencyKeys: count + 1, executions: 3, logs: 3, auditEntries: 1 });
});

test("it is not finished while anything is left, whatever came last", async () => {
  await begin();
  await dropAll(whole);
  await database.executions.insert(sampleExecution(whole.tenantId));
  expect(await store.finish(whole.tenantId)).toBe(false);
  await dropAll(whole);
  expect(await store.finish(whole.tenantId)).toBe(true);
  expect(await store.finish(other.tenantId)).toBe(false);
});

test("one that is due is handed to one worker, and to another one when that has lost it", async () => {
  // What earlier tests began is not this one's.
  await testDatabase.execute("UPDATE tenants SET deletion_due_at = 'infinity' WHERE deleting_at IS NOT NULL");
  await begin();
  await begin(other);
  const claims = await Promise.all([store.claim(60_000), store.claim(60_000), store.claim(60_000)]);
  const ids = claims.map((one) => one?.tenantId ?? "none");
  expect(ids.toSorted()).toEqual(["none", whole.tenantId, other.tenantId].toSorted());
  await store.release(whole.tenantId, 60_000);
  expect(await store.claim(60_000)).toBeNull();
  await store.release(whole.tenantId, 0);
  expect(await store.claim(60_000)).toMatchObject({ tenantId: whole.tenantId, agedMs: expect.any(Number) });
});

test("no audit entry goes with a tenant that stays, nor the one of its deletion", async () => {
  const drop = (id: string) => testDatabase.execute(`SELECT drop_audit_entries_of('${id}', 10)`);
  await expect(drop(other.tenantId)).rejects.toThrow("audit_entries only grows");
  await begin();
  await drop(whole.tenantId);
  await expect(
    testDatabase.execute(`DELETE FROM audit_entries WHERE tenant_id = '${whole.tenantId}'`),
  ).rejects.toThrow("audit_entries only grows");
  expect(await database.auditEntries.dropOld(AUDIT_RETENTION_DAYS_MIN, 10)).toBe(0);
});

test("what hangs on tools goes with them, also what no kind names", async () => {
  const { tenantId, toolId } = await stored(database);
  const made = await store.begin(tenantId, { ...saidOf(whole), tenantId, id: tenantId });
  expect(made?.isNew).toBe(true);
  await dropAll({ ...whole, tenantId });
  expect(await store.finish(tenantId)).toBe(true);
  expect(await rowsWith(testDatabase.url, toolId)).toEqual({});
});
