import { type DeletionProgress, type Tenant, type TenantDeletionStore, Fault } from "@bulkhead/core";

export interface TenantWithProgress {
  tenant: Tenant;
  /** Null: it is not being deleted. */
  deletion: DeletionProgress | null;
}

export const noSuchTenant = (): Fault =>
  new Fault("tenant.not_found", { detail: "There is no tenant with this id." });

const beingDeleted = (): Fault =>
  new Fault("tenant.deleting", {
    detail:
      "The tenant is being deleted; `GET /api/v1/tenants/:id` shows the progress, and is 404 when it is done.",
  });

/** Throws `tenant.not_found`, and `tenant.deleting` for one that is being deleted. */
export function requirePresent(tenant: Tenant | null): Tenant {
  if (!tenant) throw noSuchTenant();
  if (tenant.deletingAt) throw beingDeleted();
  return tenant;
}

/** How far the deletion of a tenant is, where it is being deleted. Throws `tenant.not_found` where it has just gone. */
export async function withProgress(
  { tenantDeletions }: { tenantDeletions: Pick<TenantDeletionStore, "progress"> },
  tenant: Tenant,
): Promise<TenantWithProgress> {
  if (!tenant.deletingAt) return { tenant, deletion: null };
  const deletion = await tenantDeletions.progress(tenant.id);
  if (!deletion) throw noSuchTenant();
  return { tenant, deletion };
}
