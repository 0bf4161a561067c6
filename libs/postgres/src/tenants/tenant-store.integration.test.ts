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

describe("a tenant's policy", () => {
  test("is the empty document until one is put, and then the one that was put last", async () => {
    const { id } = await database.tenants.create(sampleTenant());
    expect(await database.policies.find(id)).toEqual({ version: 0, document: {}, mcpVersion: 0, mcp: {} });
    expect((await database.tenants.find(id))?.policyVersion).toBeUndefined();
    const first = { deny: ["exec"], agents: { "a.b": { allow: ["group:fs"] } } };
    expect(await database.policies.put(id, first, null)).toEqual({ before: {}, version: 1 });
    expect(await database.policies.find(id)).toMatchObject({ version: 1, document: first });
    expect(await database.policies.put(id, {}, [7, 1])).toEqual({ before: first, version: 2 });
    expect((await database.tenants.find(id))?.policyVersion).toBe(2);
  });

  test("is put by one of two who saw the same version", async () => {
    const { id } = await database.tenants.create(sampleTenant());
    const put = (name: string) => database.policies.put(id, { deny: [name] }, [0]);
    const done = await Promise.all([put("one"), put("two")]);
    expect(done.filter((answer) => answer !== null)).toEqual([{ before: {}, version: 1 }]);
    expect(await put("late")).toBeNull();
  });

  test("is nobody's where there is no such tenant", async () => {
    expect(await database.policies.find("ten_0000000000000000")).toBeNull();
    expect(await database.policies.put("ten_0000000000000000", {}, null)).toBeNull();
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
      expiresAt: null,
      lastUsedAt: null,
      formerUntil: null,
      ...fields,
    };
  };
  const sampleHash = () => createHash("sha256").update(randomUUID()).digest("hex");

  test("a key is found by its hash, with its tenant", async () => {
    const tenant = await database.tenants.create(sampleTenant());
    const key = sampleKey(tenant.id, { role: "agent", agentId: "agent-1" });
    const hash = sampleHash();
    expect(await database.apiKeys.create(key, hash)).toEqual(key);
    const found = { key, tenant, goodUntil: null };
    expect(await database.apiKeys.findByHash(hash)).toEqual(found);
    expect(await database.apiKeys.find(tenant.id, key.id)).toEqual(found);
    expect(await database.apiKeys.find("ten_0000000000000000", key.id)).toBeNull();
    expect(await database.apiKeys.findByHash(sampleHash())).toBeNull();
  });

  test("after a rotation both secrets find the key, each with its own end, and a second one ends the first", async () => {
    const { id: tenantId } = await database.tenants.create(sampleTenant());
    const expiresAt = new Date("2090-01-01T00:00:00.000Z");
    const key = sampleKey(tenantId, { expiresAt });
    const [first, second, third] = [sampleHash(), sampleHash(), sampleHash()];
    await database.apiKeys.create(key, first);
    const soon = new Date("2080-01-01T00:00:00.000Z");
    const rotated = await database.apiKeys.rotate(tenantId, key.id, { sha256: second, formerUntil: soon });
    expect(rotated).toEqual({ ...key, formerUntil: soon });
    expect((await database.apiKeys.findByHash(second))?.key).toEqual(rotated);
    const ends = async () =>
      (await Promise.all([first, second, third].map((hash) => database.apiKeys.findByHash(hash)))).map(
        (found) => found && [found.key.id, found.goodUntil],
      );
    expect(await ends()).toEqual([[key.id, soon], [key.id, expiresAt], null]);
    // The key's own end comes before that of its former secret.
    const late = new Date("2095-01-01T00:00:00.000Z");
    await database.apiKeys.rotate(tenantId, key.id, { sha256: third, formerUntil: late });
    expect(await ends()).toEqual([null, [key.id, expiresAt], [key.id, expiresAt]]);
    const none = { sha256: sampleHash(), formerUntil: late };
    expect(await database.apiKeys.rotate("ten_0000000000000000", key.id, none)).toBeNull();
    await database.apiKeys.delete(tenantId, key.id);
    expect(await ends()).toEqual([null, null, null]);
  });

  test("a secret that was put aside is its new owner's when it comes again", async () => {
    const { id: tenantId } = await database.tenants.create(sampleTenant());
    const hash = sampleHash();
    const [old, again] = [sampleKey(tenantId), sampleKey(tenantId)];
    await database.apiKeys.create(old, hash);
    await database.apiKeys.rotate(tenantId, old.id, { sha256: sampleHash(), formerUntil: new Date(0) });
    await database.apiKeys.create(again, hash);
    expect(await database.apiKeys.findByHash(hash)).toMatchObject({ key: { id: again.id }, goodUntil: null });
  });

  test("a use is written once a minute, and only for keys that are there", async () => {
    const { id: tenantId } = await database.tenants.create(sampleTenant());
    const keys = [sampleKey(tenantId), sampleKey(tenantId)];
    for (const key of keys) await database.apiKeys.create(key, sampleHash());
    const [one = "", other = ""] = keys.map(({ id }) => id);
    const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second));
    const used = async (uses: [string, Date][]) => {
      await database.apiKeys.used(new Map(uses));
      const found = await database.apiKeys.list(tenantId);
      return [one, other].map((id) => found.find((key) => key.id === id)?.lastUsedAt);
    };
    expect(
      await used([
        [one, at(0)],
        ["key_gone", at(0)],
      ]),
    ).toEqual([at(0), null]);
    expect(
      await used([
        [one, at(59)],
        [other, at(59)],
      ]),
    ).toEqual([at(0), at(59)]);
    expect(await used([[one, at(60)]])).toEqual([at(60), at(59)]);
    // A process whose clock is behind takes nothing back.
    expect(await used([[one, at(10)]])).toEqual([at(60), at(59)]);
  });

  test("a deleted key is found no more, and another tenant can't delete it", async () => {
    const tenant = await database.tenants.create(sampleTenant());
    const other = await database.tenants.create(sampleTenant());
    const key = sampleKey(tenant.id);
    const sha256 = sampleHash();
    await database.apiKeys.create(key, sha256);
    expect(await database.apiKeys.delete(other.id, key.id)).toBeNull();
    expect(await database.apiKeys.list(other.id)).toEqual([]);
    expect(await database.apiKeys.delete(tenant.id, key.id)).toEqual({ name: key.name });
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
