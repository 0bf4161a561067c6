import { hashApiKey } from "@bulkhead/tenants";
import { openAccessKeys } from "@bulkhead/tenants/vault";
import { Secret } from "@bulkhead/process/settings";
import { RevocableCache } from "@bulkhead/process";
import { APPROVAL_SETTINGS_DEFAULT, TENANT_LIMITS_DEFAULT, type TenantPrincipal } from "@bulkhead/core";
import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { useAuthentication, useFreshPrincipal, usePermissions } from "./authentication.ts";
import { useMetrics } from "./http-metrics.ts";
import { useProblems } from "./problems.ts";

const KEY = "bh_some_key";

/** A route behind a step that takes its time, a key that is remembered, and what happens during that step. */
function bench(meanwhile: (principals: RevocableCache<TenantPrincipal>) => void) {
  const app = fastify();
  const principals = new RevocableCache<TenantPrincipal>({
    entriesMax: 10,
    ttlMs: 60_000,
    trusted: () => true,
  });
  let stored: string | null = "key_1";
  let role = "owner";
  let loads = 0;
  let goodUntil: Date | null = null;
  let now = new Date(0);
  const used: string[] = [];
  const findByHash = () => {
    loads += 1;
    if (stored === null) return Promise.resolve(null);
    const key = { id: stored, role, agentId: null };
    const tenant = {
      id: "ten_1",
      limits: TENANT_LIMITS_DEFAULT,
      updatedAt: new Date(0),
      settings: { approval: APPROVAL_SETTINGS_DEFAULT },
    };
    return Promise.resolve({ key, tenant, goodUntil } as never);
  };
  const keyUses = { saw: (keyId: string) => void used.push(keyId) };
  const deps = {
    apiKeys: { findByHash, find: findByHash },
    principals,
    adminKeyHash: null,
    accessKeys: openAccessKeys({ current: new Secret(randomBytes(32).toString("base64")), old: [] }),
    keyUses,
    clock: () => now,
    policies: { of: async () => null },
  };
  useMetrics(app, NO_METER);
  useProblems(app);
  useAuthentication(app, deps);
  usePermissions(app);
  app.addHook("preValidation", async () => meanwhile(principals));
  useFreshPrincipal(app, deps);
  app.get("/", ({ principal }) => principal.keyId);
  app.get("/keys", { config: { action: "keys.manage" } }, ({ principal }) => principal.keyId);
  const ask = (url = "/") => app.inject({ url, headers: { authorization: `Bearer ${KEY}` } });
  return {
    ask,
    store: (id: string | null) => (stored = id),
    become: (other: string) => (role = other),
    loads: () => loads,
    used,
    endAt: (ms: number) => (goodUntil = new Date(ms)),
    timeIs: (ms: number) => (now = new Date(ms)),
    forget: () => principals.clear(),
  };
}

test("a key that is heard to be deleted while its request waits is refused", async () => {
  let deletes = false;
  const { ask, store } = bench((principals) => deletes && principals.revoke(hashApiKey(KEY)));
  expect((await ask()).body).toBe("key_1");
  store(null);
  deletes = true;
  const refused = await ask();
  expect([refused.statusCode, refused.json().code]).toEqual([401, "auth.invalid_key"]);
});

test("a tenant's change that is heard while a request waits holds for it", async () => {
  let changes = false;
  const { ask, store } = bench((principals) => changes && principals.revoke("ten_1"));
  await ask();
  store("key_2");
  changes = true;
  expect((await ask()).body).toBe("key_2");
});

test("where nothing is heard, who asks is looked up once", async () => {
  const { ask, loads } = bench(() => undefined);
  for (let count = 0; count < 3; count += 1) expect((await ask()).statusCode).toBe(200);
  expect(loads()).toBe(1);
});

test("a key whose time is over is refused as one that there is none, also where it is remembered", async () => {
  const { ask, endAt, timeIs, loads, store, used, forget } = bench(() => undefined);
  endAt(1_000);
  timeIs(999);
  expect((await ask()).statusCode).toBe(200);
  timeIs(1_000);
  const over = await ask();
  expect([over.statusCode, loads()]).toEqual([401, 1]);
  store(null);
  forget();
  const unknown = await ask();
  expect(loads()).toBe(2);
  const bare = ({ meta: _meta, ...body }: { meta: unknown }) => body;
  expect(bare(over.json())).toEqual(bare(unknown.json()));
  expect(used).toEqual(["key_1"]);
});

test("a role that may not do what the route does is refused, also where the key got it while its request waited", async () => {
  let changes = false;
  const { ask, become } = bench((principals) => changes && principals.revoke(hashApiKey(KEY)));
  expect((await ask("/keys")).body).toBe("key_1");
  changes = true;
  become("viewer");
  expect((await ask("/keys")).json().code).toBe("auth.forbidden");
  changes = false;
  expect((await ask("/keys")).json().code).toBe("auth.forbidden");
  expect((await ask()).body).toBe("key_1");
});
