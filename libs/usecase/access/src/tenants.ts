import {
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  type Clock,
  type Principal,
  type SignalBus,
  type Tenant,
  type TenantLimits,
  type TenantStore,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { requireAction } from "./roles.ts";

export interface TenantDeps {
  tenants: TenantStore;
  bus: Pick<SignalBus, "publish">;
  clock: Clock;
}

export interface TenantRequest {
  slug: string;
  name: string;
  limits: Partial<TenantLimits>;
}

const noSuchTenant = () => new Fault("tenant.not_found", { detail: "There is no tenant with this id." });

/** Throws `tenant.slug_taken`. */
export async function createTenant(
  deps: TenantDeps,
  principal: Principal,
  request: TenantRequest,
): Promise<Tenant> {
  requireAction(principal, "tenants.manage");
  return deps.tenants.create({
    id: newTenantId(),
    slug: request.slug,
    name: request.name,
    limits: { ...TENANT_LIMITS_DEFAULT, ...request.limits },
    createdAt: deps.clock(),
  });
}

export async function getTenant(deps: TenantDeps, principal: Principal, tenantId: string): Promise<Tenant> {
  requireAction(principal, "tenants.manage");
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant) throw noSuchTenant();
  return tenant;
}

/** Newest first. */
export async function listTenants(
  deps: TenantDeps,
  principal: Principal,
  page: { before?: string; limit: number },
): Promise<Tenant[]> {
  requireAction(principal, "tenants.manage");
  return deps.tenants.list(page);
}

export async function updateTenant(
  deps: TenantDeps,
  principal: Principal,
  tenantId: string,
  change: { name?: string; limits?: Partial<TenantLimits> },
): Promise<Tenant> {
  requireAction(principal, "tenants.manage");
  const tenant = await deps.tenants.update(tenantId, change);
  if (!tenant) throw noSuchTenant();
  await deps.bus.publish({ type: "forget", kind: "tenant", id: tenantId });
  return tenant;
}
