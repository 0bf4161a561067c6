import {
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type LimitsAsOf,
  type NewAuditEntry,
  type Principal,
  type Tenant,
  type ToldSignal,
  Fault,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { createApiKey, type ApiKeyDeps } from "./api-keys.ts";
import { deleteTenant, type DeleteTenantDeps } from "./delete-tenant.ts";
import { ensureDemo, type EnsureDemoDeps } from "./ensure-demo.ts";
import { createTenant, getTenant, updateTenant, type TenantDeps } from "./tenants.ts";

const at = new Date("2026-01-31T00:00:00.000Z");
const TENANT: Tenant = {
  id: "ten_1",
  slug: "acme",
  name: "Acme",
  limits: TENANT_LIMITS_DEFAULT,
  settings: TENANT_SETTINGS_DEFAULT,
  createdAt: at,
  updatedAt: at,
};
const DELETING: Tenant = { ...TENANT, deletingAt: at };
const PROGRESS = { requestedAt: at, gone: { apiKeys: 2 }, left: { tools: 1 } };
const ADMIN: Principal = { role: "admin", keyId: "admin", requestId: "req_1" };
const OWNER: Principal = {
  role: "owner",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: at,
  approval: TENANT_SETTINGS_DEFAULT.approval,
};

function bench() {
  let tenant = TENANT;
  const said: NewAuditEntry[] = [];
  const signals: ToldSignal[] = [];
  const limits: LimitsAsOf[] = [];
  const deps: DeleteTenantDeps = {
    tenants: { find: async (id) => (id === tenant.id ? tenant : null) },
    tenantDeletions: {
      begin: async (_tenantId, entry) => {
        const isNew = tenant === TENANT;
        if (isNew) said.push(entry);
        tenant = DELETING;
        return { tenant, isNew, keyIds: isNew ? ["key_1", "key_2"] : [] };
      },
      progress: async () => PROGRESS,
    },
    bus: { publish: async (signal) => void signals.push(signal) },
    queue: { setLimits: async (_tenantId, current) => void limits.push(current) },
    report: (what) => {
      throw new Error(what);
    },
  };
  return { deps, said, signals, limits };
}

test("every process hears that its keys are gone, the queue hands nothing out, and one entry says who did it", async () => {
  const { deps, said, signals, limits } = bench();
  expect(await deleteTenant(deps, ADMIN, "ten_1", "acme")).toEqual({ tenant: DELETING, deletion: PROGRESS });
  expect(signals).toEqual([
    { type: "forget", kind: "tenant", id: "ten_1", tenantId: "ten_1" },
    { type: "forget", kind: "key", id: "key_1", tenantId: "ten_1" },
    { type: "forget", kind: "key", id: "key_2", tenantId: "ten_1" },
  ]);
  expect(limits).toMatchObject([
    { limits: { maxConcurrentExecutions: 0, maxQueuedExecutions: 0 }, asOf: at },
  ]);
  expect(said).toMatchObject([
    { action: "tenant.deleted", id: "ten_1", name: "acme", role: "admin", requestId: "req_1" },
  ]);
  expect(await deleteTenant(deps, ADMIN, "ten_1", "acme")).toEqual({ tenant: DELETING, deletion: PROGRESS });
  expect(said).toHaveLength(1);
});

test.each(["", "ACME", "acme ", "other"])("slug %j deletes nothing", async (slug) => {
  const { deps, signals, limits } = bench();
  await expect(deleteTenant(deps, ADMIN, "ten_1", slug)).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "slug" }],
  });
  expect([signals, limits]).toEqual([[], []]);
});

test("nobody but the administrator deletes, and nothing that is not there", async () => {
  const { deps } = bench();
  await expect(deleteTenant(deps, OWNER, "ten_1", "acme")).rejects.toMatchObject({ code: "auth.forbidden" });
  await expect(deleteTenant(deps, ADMIN, "ten_2", "acme")).rejects.toMatchObject({
    code: "tenant.not_found",
  });
});

/** Stores in which the tenant is being deleted. */
const deleting = () => {
  const tenants = {
    find: async () => DELETING,
    findBySlug: async (slug: string) => (slug === "acme" || slug === "demo" ? DELETING : TENANT),
    update: async () => null,
    create: () => Promise.reject(new Fault("tenant.slug_taken")),
  };
  const no = () => Promise.reject(new Error("nothing is written"));
  return {
    tenants,
    tenantDeletions: { progress: async () => PROGRESS },
    apiKeys: { create: no, findByHash: async () => null },
    audit: { record: no },
    bus: { publish: no },
    clock: () => at,
  } as unknown as TenantDeps & ApiKeyDeps & EnsureDemoDeps;
};

test("while it goes, it is read with how far that is, and takes no change and no key", async () => {
  const deps = deleting();
  expect(await getTenant(deps, ADMIN, "ten_1")).toEqual({ tenant: DELETING, deletion: PROGRESS });
  const refused = { code: "tenant.deleting", status: 409 };
  await expect(updateTenant(deps, ADMIN, "ten_1", { name: "x" })).rejects.toMatchObject(refused);
  const key = { name: "a", role: "owner", agentId: null, expiresAt: null } as const;
  await expect(createApiKey(deps, ADMIN, "ten_1", key)).rejects.toMatchObject(refused);
});

test("its slug is taken until it has gone, and the refusal says so", async () => {
  const asked = (slug: string) =>
    createTenant(deleting(), ADMIN, { slug, name: "New", limits: {}, settings: {} });
  await expect(asked("acme")).rejects.toMatchObject({
    code: "tenant.slug_taken",
    detail: expect.stringContaining("is being deleted"),
  });
  await expect(asked("taken")).rejects.toMatchObject({
    code: "tenant.slug_taken",
    detail: expect.not.stringContaining("is being deleted"),
  });
});

test("a start while the demo tenant is being deleted lets nobody in, and does not fail", async () => {
  await ensureDemo(deleting(), "k".repeat(32));
});
