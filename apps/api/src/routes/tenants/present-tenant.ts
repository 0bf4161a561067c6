import type { TenantWithProgress } from "@bulkhead/tenants";
import type { ApiKey, DeletionProgress as Deletion, Tenant } from "@bulkhead/core";

export const presentTenant = (tenant: Tenant) => ({
  id: tenant.id,
  slug: tenant.slug,
  name: tenant.name,
  limits: tenant.limits,
  settings: tenant.settings,
  createdAt: tenant.createdAt.toISOString(),
  updatedAt: tenant.updatedAt.toISOString(),
  status: tenant.deletingAt ? ("deleting" as const) : ("active" as const),
});

export const presentTenantWithProgress = ({ tenant, deletion }: TenantWithProgress) =>
  deletion ? presentDeletingTenant(tenant, deletion) : presentTenant(tenant);

export const presentDeletingTenant = (tenant: Tenant, { requestedAt, gone, left }: Deletion) => ({
  ...presentTenant(tenant),
  status: "deleting" as const,
  progress: { requestedAt: requestedAt.toISOString(), gone, left },
});

export const presentApiKey = (key: ApiKey) => ({
  id: key.id,
  tenantId: key.tenantId,
  name: key.name,
  role: key.role,
  agentId: key.agentId ?? undefined,
  createdAt: key.createdAt.toISOString(),
});
