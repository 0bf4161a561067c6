import { Tenant as Shown, shownAs } from "@bulkhead/contracts";
import type { DeletionProgress as Deletion, Tenant } from "@bulkhead/core";
import type { TenantWithProgress } from "@bulkhead/tenants";

export const presentTenant = (tenant: Tenant) =>
  shownAs(Shown, tenant, { status: tenant.deletingAt ? "deleting" : "active" });

export const presentTenantWithProgress = ({ tenant, deletion }: TenantWithProgress) =>
  deletion ? presentDeletingTenant(tenant, deletion) : presentTenant(tenant);

export const presentDeletingTenant = (tenant: Tenant, { requestedAt, gone, left }: Deletion) => ({
  ...presentTenant(tenant),
  status: "deleting" as const,
  progress: { requestedAt: requestedAt.toISOString(), gone, left },
});
