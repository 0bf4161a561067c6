import type { ApiKey, Tenant } from "@bulkhead/domain";

export const presentTenant = (tenant: Tenant) => ({
  id: tenant.id,
  slug: tenant.slug,
  name: tenant.name,
  limits: tenant.limits,
  settings: tenant.settings,
  createdAt: tenant.createdAt.toISOString(),
  updatedAt: tenant.updatedAt.toISOString(),
});

export const presentApiKey = (key: ApiKey) => ({
  id: key.id,
  tenantId: key.tenantId,
  name: key.name,
  role: key.role,
  agentId: key.agentId ?? undefined,
  createdAt: key.createdAt.toISOString(),
});
