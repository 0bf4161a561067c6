import {
  TENANT_LIMITS_DEFAULT,
  type CapabilityCaller,
  type Execution,
  type JsonObject,
} from "@bulkhead/core";
import { rolesOf } from "@bulkhead/tenants";
import { GATEWAY_OPERATION_NAMES, GATEWAY_OPERATIONS } from "@bulkhead/tools/built-in";
import { beforeEach, expect, test } from "vitest";
import { openGateway, type GatewayDeps } from "./capability.ts";
import { CALL_OPERATIONS } from "./operate-calls.ts";
import { TENANT_OPERATIONS } from "./operate-tenant.ts";

const NOW = new Date("2026-02-10T12:00:00Z");
let call: Partial<Execution> | null;
let key: { role: string; expiresAt: Date | null } | null;
let looked: unknown[];

beforeEach(() => {
  call = { parentId: null, source: "rest", requestedBy: "key_1" };
  key = { role: "owner", expiresAt: null };
  looked = [];
});

function ask(operation: string, args: JsonObject = {}) {
  const deps = {
    callers: {
      executions: { find: async () => call },
      apiKeys: { find: async () => key && { key: { ...key, agentId: null }, goodUntil: key.expiresAt } },
      tenants: { find: async () => ({ limits: TENANT_LIMITS_DEFAULT, settings: {} }) },
      policies: { of: async () => null },
      clock: () => NOW,
    },
    policies: { find: async () => ({ document: { deny: ["exec"] } }) },
    tenants: { find: async () => ({ id: "ten_a" }) },
    apiKeys: { list: async (tenantId: string) => (looked.push(tenantId), []) },
    schedules: { list: async (...asked: unknown[]) => (looked.push(asked), []) },
  } as unknown as GatewayDeps;
  const caller = { tenantId: "ten_a", executionId: "exe_1", agentId: "clerk" } as CapabilityCaller;
  const request = { operation, arguments: args, content: null };
  return openGateway(deps).run(request, caller, new AbortController().signal);
}

test("what it is asked it does for the tenant and the key of its call", async () => {
  expect(await ask("policies.get")).toEqual({ ok: true, value: { deny: ["exec"] } });
  expect(await ask("keys.list")).toEqual({ ok: true, value: { apiKeys: [], nextCursor: null } });
  expect(await ask("schedules.list", { limit: 2 })).toMatchObject({ ok: true });
  expect(looked).toEqual(["ten_a", ["ten_a", { scope: { agentId: null, seesAll: true }, limit: 3 }]]);
});

test.each([
  ["a draft that is tried", () => (call = { ...call, source: "dry_run" })],
  ["a call by another run", () => (call = { ...call, parentId: "exe_0" })],
  ["a run whose execution is gone", () => (call = null)],
  ["a key that is gone", () => (key = null)],
  ["a key that has expired", () => (key = { role: "owner", expiresAt: NOW })],
  ["an agent's key", () => (key = { role: "agent", expiresAt: null })],
  ["a viewer's key", () => (key = { role: "viewer", expiresAt: null })],
])("%s administers nothing", async (_, change) => {
  change();
  await expect(ask("policies.get")).rejects.toMatchObject({ code: "auth.forbidden", status: 403 });
});

test("a developer's key lists no keys", async () => {
  key = { role: "developer", expiresAt: null };
  await expect(ask("keys.list")).rejects.toMatchObject({ code: "auth.forbidden" });
  expect(looked).toEqual([]);
});

test.each(GATEWAY_OPERATION_NAMES)("%s takes nothing that it does not know", async (operation) => {
  expect(await ask(operation, { nonsense: 1 })).toMatchObject({
    ok: false,
    code: "invalid_request",
    message: expect.stringContaining("nonsense"),
  });
});

test("what is written needs more than what is read, and only writes are kept from being done twice", async () => {
  for (const [name, { action }] of Object.entries({ ...TENANT_OPERATIONS, ...CALL_OPERATIONS })) {
    const { effect } = GATEWAY_OPERATIONS[name as keyof typeof GATEWAY_OPERATIONS];
    expect([name, rolesOf(action).includes("viewer") && effect === "writes"]).toEqual([name, false]);
  }
  expect(await ask("keys.create")).toMatchObject({ ok: false, code: "invalid_request" });
});
