import {
  auditActorOf,
  newAuditId,
  type DeletionProgress,
  type ExecutionQueue,
  type NewAuditEntry,
  type Principal,
  type SignalBus,
  type Tenant,
  type TenantDeletionStore,
  type TenantStore,
  Fault,
} from "@bulkhead/core";
import { noSuchTenant } from "./deletion-progress.ts";
import { requireAction } from "./roles.ts";

export interface DeleteTenantDeps {
  tenants: Pick<TenantStore, "find">;
  tenantDeletions: Pick<TenantDeletionStore, "begin" | "progress">;
  bus: Pick<SignalBus, "publish">;
  queue: Pick<ExecutionQueue, "setLimits">;
  report: (what: string, error: unknown) => void;
}

/** Keys whose end is announced at a time: their open streams close when they hear it. */
const KEYS_TOLD_AT_ONCE = 100;

/**
 * From the answer on no key of the tenant opens anything and nothing of it is handed out; workers do the rest. When
 * repeated, it reports the progress. Throws `tenant.not_found`, and `request.invalid` if `slug` is not the tenant's.
 */
export async function deleteTenant(
  deps: DeleteTenantDeps,
  principal: Principal,
  tenantId: string,
  slug: string,
): Promise<{ tenant: Tenant; deletion: DeletionProgress }> {
  requireAction(principal, "tenants.manage");
  const found = await deps.tenants.find(tenantId);
  if (!found) throw noSuchTenant();
  if (found.slug !== slug) {
    const message = "must be the slug of the tenant that is to be deleted";
    throw new Fault("request.invalid", { detail: `slug ${message}.`, errors: [{ path: "slug", message }] });
  }
  const begun = await deps.tenantDeletions.begin(tenantId, entryOf(principal, found));
  if (!begun) throw noSuchTenant();
  // A repeated deletion publishes this again, for processes that were away the first time.
  await deps.bus.publish({ type: "forget", kind: "tenant", id: tenantId, tenantId });
  for (let at = 0; at < begun.keyIds.length; at += KEYS_TOLD_AT_ONCE)
    await Promise.all(
      begun.keyIds
        .slice(at, at + KEYS_TOLD_AT_ONCE)
        .map((id) => deps.bus.publish({ type: "forget", kind: "key", id, tenantId })),
    );
  await handOutNothing(deps, begun.tenant);
  const deletion = await deps.tenantDeletions.progress(tenantId);
  if (!deletion) throw noSuchTenant();
  return { tenant: begun.tenant, deletion };
}

/** The one entry that stays of the tenant. */
const entryOf = (principal: Principal, { id, slug }: Tenant): NewAuditEntry => ({
  ...auditActorOf(principal),
  entryId: newAuditId(),
  tenantId: id,
  action: "tenant.deleted",
  id,
  name: slug,
  beforeHash: null,
  afterHash: null,
  details: {},
});

/** If the queue can't be reached, a worker that gets an attempt finds that its tenant's tools are gone. */
async function handOutNothing({ queue, report }: DeleteTenantDeps, tenant: Tenant): Promise<void> {
  const limits = { ...tenant.limits, maxConcurrentExecutions: 0, maxQueuedExecutions: 0 };
  await queue
    .setLimits(tenant.id, { limits, asOf: tenant.updatedAt })
    .catch((error: unknown) => report("telling the queue of a tenant's deletion failed", error));
}
