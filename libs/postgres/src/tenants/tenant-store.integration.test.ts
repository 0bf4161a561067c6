import { createHash, randomUUID } from "node:crypto";
import { newApiKeyId, TENANT_LIMITS_DEFAULT, type ApiKey } from "@bulkhead/core";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { sampleTenant } from "../fixtures/samples.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

describe("tenants", () => {
  test("a tenant is found by id and by slug as it was created", async () => {
    const tenant = sampleTenant();
    const whole = { ...tenant, updatedAt: tenant.createdAt };
    expect(await database.tenants.create(tenant)).toEqual(whole);
    expect(await database.tenants.find(tenant.id)).toEqual(whole);
    expect(await database.tenants.findBySlug(tenant.slug)).toEqual(whole);
    expect(await database.tenants.find("ten_0000000000000000")).toBeNull();
  });

  test("a slug is taken once", async () => {
    const { slug } = await database.tenants.create(sampleTenant());
    const again = database.tenants.create(sampleTenant({ slug }));
    await expect(again).rejects.toMatchObject({ code: "tenant.slug_taken" });
  });

  test("undefined fields stay in a change", async () => {
    const tenant = await database.tenants.create(sampleTenant());
    const renamed = await database.tenants.update(tenant.id, { name: "Renamed" });
    expect(renamed).toMatchObject({ name: "Renamed", limits: tenant.limits });
    const limits = { maxConcurrentExecutions: 3 };
    expect(await database.tenants.update(tenant.id, { limits })).toMatchObject({ name: "Renamed", limits });
    expect(await database.tenants.update("ten_0000000000000000", { name: "x" })).toBeNull();
  });

  test("limits that were never stored read as the defaults", async () => {
    const { id } = await database.tenants.create(sampleTenant());
    const client = new Client({ connectionString: testDatabase.url });
    await client.connect();
    await client.query("update tenants set limits = '{}' where id = $1", [id]);
    await client.end();
    expect((await database.tenants.find(id))?.limits).toEqual(TENANT_LIMITS_DEFAULT);
  });

  test("pages are newest first and go on where the one before ended", async () => {
    const inFuture = (second: number) => new Date(Date.UTC(2099, 0, 1, 0, 0, second));
    const ids = [];
    for (const second of [1, 1, 2]) {
      ids.push((await database.tenants.create(sampleTenant({ createdAt: inFuture(second) }))).id);
    }
    const first = await database.tenants.list({ limit: 2 });
    const second = await database.tenants.list({ limit: 1, before: first[1]?.id ?? "" });
    expect(first[0]?.id).toBe(ids[2]);
    expect([...first, ...second].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });
});

describe("API keys", () => {
  const sampleKey = (tenantId: string, fields: Partial<ApiKey> = {}): ApiKey => {
    const createdAt = new Date();
    return {
      id: newApiKeyId(),
      tenantId,
      name: "A key",
      role: "developer",
      agentId: null,
      createdAt,
      ...fields,
    };
  };
  const sampleHash = () => createHash("sha256").update(randomUUID()).digest("hex");

  test("a key is found by its hash, with its tenant", async () => {
    const tenant = await database.tenants.create(sampleTenant());
    const key = sampleKey(tenant.id, { role: "agent", agentId: "agent-1" });
    const hash = sampleHash();
    expect(await database.apiKeys.create(key, hash)).toEqual(key);
    expect(await database.apiKeys.findByHash(hash)).toEqual({ key, tenant });
    expect(await database.apiKeys.findByHash(sampleHash())).toBeNull();
  });

  test("a deleted key is found no more, and another tenant can't delete it", async () => {
    const tenant = await database.tenants.create(sampleTenant());
    const other = await database.tenants.create(sampleTenant());
    const key = sampleKey(tenant.id);
    const sha256 = sampleHash();
    await database.apiKeys.create(key, sha256);
    expect(await database.apiKeys.delete(other.id, key.id)).toBeNull();
    expect(await database.apiKeys.list(other.id)).toEqual([]);
    expect(await database.apiKeys.delete(tenant.id, key.id)).toEqual({ sha256, name: key.name });
    expect(await database.apiKeys.findByHash(sha256)).toBeNull();
    expect(await database.apiKeys.delete(tenant.id, key.id)).toBeNull();
  });

  test("the list of a tenant is newest first", async () => {
    const { id } = await database.tenants.create(sampleTenant());
    const older = sampleKey(id, { createdAt: new Date(1_000) });
    const newer = sampleKey(id, { createdAt: new Date(2_000) });
    await database.apiKeys.create(older, sampleHash());
    await database.apiKeys.create(newer, sampleHash());
    expect(await database.apiKeys.list(id)).toEqual([newer, older]);
  });
});
