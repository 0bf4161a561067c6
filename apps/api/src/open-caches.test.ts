import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type Tool,
  type TenantPrincipal,
} from "@bulkhead/core";
import { Secret } from "@bulkhead/process/settings";
import { openAccessKeys } from "@bulkhead/tenants/vault";
import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { useAuthentication, useFreshPrincipal } from "./edge/authentication.ts";
import { useMetrics } from "./edge/http-metrics.ts";
import { useProblems } from "./edge/problems.ts";
import { useRateLimit } from "./edge/rate-limit.ts";
import { openCaches } from "./open-caches.ts";

const KEY = "bh_some_key";

/** An API that hears no word of any change, with what is stored and the mark that its limiter tells. */
async function deafApi() {
  const stored = { key: "key_1" as string | null, version: 1 };
  const mark: { of: string | null } = { of: null };
  const loads = { keys: 0, tools: 0, definitions: 0 };
  const report = () => undefined;
  const { principals, definitions, toolLookup, changes } = openCaches({
    builtIns: [],
    configServices: { outlinesOf: async () => [] },
    signals: {
      connected: true,
      interruptions: 0,
      publish: () => Promise.resolve(),
      subscribe: () => () => undefined,
    },
    tools: {
      find: (tenantId: string, name: string) => {
        loads.tools += 1;
        return Promise.resolve({ id: "tool_1", tenantId, name, version: stored.version } as Tool);
      },
    } as never,
    catalogue: {
      definitionMarks: () => {
        loads.definitions += 1;
        return Promise.resolve(String(loads.definitions));
      },
      definitions: () => Promise.resolve({ tools: [], omitted: 0 }),
    } as never,
    report,
  });
  const findByHash = () => {
    loads.keys += 1;
    if (stored.key === null) return Promise.resolve(null);
    const key = { id: stored.key, role: "owner", agentId: null };
    const settings = { approval: APPROVAL_SETTINGS_DEFAULT };
    const tenant = { id: "ten_1", limits: TENANT_LIMITS_DEFAULT, updatedAt: new Date(0), settings };
    return Promise.resolve({ key, tenant, goodUntil: null } as never);
  };
  const taken = { allowed: true, limit: 9, remaining: 8, resetMs: 1, retryAfterMs: 0 };
  const rateLimiter = { take: () => Promise.resolve({ ...taken, changeMark: mark.of }) };
  const authentication = {
    apiKeys: { findByHash, find: findByHash },
    principals,
    adminKeyHash: null,
    accessKeys: openAccessKeys({ current: new Secret(randomBytes(32).toString("base64")), old: [] }),
    keyUses: { saw: () => undefined },
    clock: () => new Date(),
    policies: { of: async () => null },
  };
  const app = fastify();
  useMetrics(app, NO_METER);
  useProblems(app);
  useAuthentication(app, authentication);
  useRateLimit(app, { rateLimiter, changes, report });
  useFreshPrincipal(app, authentication);
  app.get("/", async ({ principal }) => {
    const tenant = principal as TenantPrincipal;
    const { version } = await toolLookup.find(tenant, "a_tool");
    await definitions.get(tenant.tenantId, null, "mcp", false, { policy: null, ofKeys: null }, null);
    return { key: tenant.keyId, version };
  });
  const ask = async () =>
    (await app.inject({ url: "/", headers: { authorization: `Bearer ${KEY}` } })).json();
  return { ask, stored, mark, loads };
}

test("what another API has changed is seen by the next request, though no word of it arrived", async () => {
  const { ask, stored, mark, loads } = await deafApi();
  expect(await ask()).toEqual({ key: "key_1", version: 1 });
  Object.assign(stored, { key: "key_2", version: 2 });
  // Nothing says that there was a change, so what is remembered is believed.
  expect(await ask()).toEqual({ key: "key_1", version: 1 });
  mark.of = "first";
  expect(await ask()).toEqual({ key: "key_2", version: 2 });
  stored.version = 3;
  mark.of = "second";
  expect(await ask()).toEqual({ key: "key_2", version: 3 });
  expect(loads.definitions).toBe(3);
});

test("a key that another API has deleted opens nothing, though no word of it arrived", async () => {
  const { ask, stored, mark } = await deafApi();
  await ask();
  stored.key = null;
  mark.of = "deleted";
  expect(await ask()).toMatchObject({ status: 401, code: "auth.invalid_key" });
});

test("a mark that was seen costs no look-up", async () => {
  const { ask, mark, loads } = await deafApi();
  mark.of = "first";
  for (let count = 0; count < 5; count += 1) await ask();
  // The key was asked for before its tenant's mark could be.
  expect(loads).toEqual({ keys: 2, tools: 1, definitions: 1 });
});
