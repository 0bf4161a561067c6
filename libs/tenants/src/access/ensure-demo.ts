import {
  newApiKeyId,
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type ApiKeyStore,
  type AuditLog,
  type Clock,
  type TenantStore,
  Fault,
} from "@bulkhead/core";
import { hashApiKey } from "./api-key-text.ts";

const DEMO_SLUG = "demo";

export interface EnsureDemoDeps {
  tenants: Pick<TenantStore, "create" | "findBySlug">;
  apiKeys: Pick<ApiKeyStore, "create" | "findByHash">;
  audit: AuditLog;
  clock: Clock;
}

/**
 * Makes the demo tenant and lets `key` in as its owner, if that is not so yet. Safe when several processes do it at once. One that
 * was deleted is made anew, by the first start after it has gone: while it goes its slug is taken, and nobody is let in.
 */
export async function ensureDemo(deps: EnsureDemoDeps, key: string): Promise<void> {
  const tenant = (await deps.tenants.findBySlug(DEMO_SLUG)) ?? (await createDemoTenant(deps));
  if (tenant.deletingAt) return;
  const sha256 = hashApiKey(key);
  if (await deps.apiKeys.findByHash(sha256)) return;
  const apiKey = {
    id: newApiKeyId(),
    tenantId: tenant.id,
    name: "demo",
    role: "owner",
    agentId: null,
    expiresAt: null,
    lastUsedAt: null,
    formerUntil: null,
  } as const;
  try {
    await deps.apiKeys.create({ ...apiKey, createdAt: deps.clock() }, sha256);
    const { id, name, role, agentId } = apiKey;
    await deps.audit.record(null, tenant.id, {
      action: "api_key.created",
      id,
      name,
      details: { role, agentId },
    });
  } catch (error) {
    // Another process was faster with the same key, which is fine.
    if (!(await deps.apiKeys.findByHash(sha256))) throw error;
  }
}

async function createDemoTenant(deps: EnsureDemoDeps) {
  try {
    const tenant = await deps.tenants.create({
      id: newTenantId(),
      slug: DEMO_SLUG,
      name: "Demo",
      limits: TENANT_LIMITS_DEFAULT,
      settings: TENANT_SETTINGS_DEFAULT,
      createdAt: deps.clock(),
    });
    await deps.audit.record(null, tenant.id, { action: "tenant.created", id: tenant.id, name: DEMO_SLUG });
    return tenant;
  } catch (error) {
    const tenant =
      error instanceof Fault &&
      error.code === "tenant.slug_taken" &&
      (await deps.tenants.findBySlug(DEMO_SLUG));
    if (!tenant) throw error;
    return tenant;
  }
}
