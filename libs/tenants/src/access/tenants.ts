import {
  APPROVAL_SETTINGS_DEFAULT,
  DATA_SETTINGS_DEFAULT,
  FILE_SETTINGS_DEFAULT,
  SHELL_SETTINGS_DEFAULT,
  changedFields,
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  type AuditAction,
  type AuditLog,
  type Clock,
  type ExecutionQueue,
  type Principal,
  type SignalBus,
  type Tenant,
  type TenantChange,
  type TenantDeletionStore,
  type TenantLimits,
  type TenantSettings,
  type TenantSettingsChange,
  type TenantStore,
  Fault,
} from "@bulkhead/core";
import { noSuchTenant, requirePresent, withProgress, type TenantWithProgress } from "./deletion-progress.ts";
import { requireAction, requireTenant } from "./roles.ts";

export interface TenantDeps {
  tenants: TenantStore;
  tenantDeletions: Pick<TenantDeletionStore, "progress">;
  bus: Pick<SignalBus, "publish">;
  audit: AuditLog;
  queue: Pick<ExecutionQueue, "setLimits">;
  clock: Clock;
  report: (what: string, error: unknown) => void;
}

export interface TenantRequest {
  slug: string;
  name: string;
  limits: Partial<TenantLimits>;
  settings: TenantSettingsChange;
}

/** Fields whose parts the audit log names. */
const GROUPS = ["limits", "approval", "retention"];

/** Throws `tenant.slug_taken`. */
export async function createTenant(
  deps: TenantDeps,
  principal: Principal,
  request: TenantRequest,
): Promise<Tenant> {
  requireAction(principal, "tenants.manage");
  const tenant = await deps.tenants
    .create({
      id: newTenantId(),
      slug: request.slug,
      name: request.name,
      limits: { ...TENANT_LIMITS_DEFAULT, ...request.limits },
      settings: {
        approval: { ...APPROVAL_SETTINGS_DEFAULT, ...request.settings.approval },
        retention: request.settings.retention ?? null,
        applyDefaults: request.settings.applyDefaults ?? false,
        files: request.settings.files ?? FILE_SETTINGS_DEFAULT,
        shell: request.settings.shell ?? SHELL_SETTINGS_DEFAULT,
        data: request.settings.data ?? DATA_SETTINGS_DEFAULT,
      },
      createdAt: deps.clock(),
    })
    .catch((error: unknown) => tellSlug(deps, request.slug, error));
  await deps.audit.record(principal, tenant.id, {
    action: "tenant.created",
    id: tenant.id,
    name: tenant.slug,
    details: {
      fields: changedFields({ limits: request.limits, ...request.settings }, GROUPS),
    },
  });
  return tenant;
}

/** A slug is free when its tenant is gone, and not before. */
async function tellSlug({ tenants }: TenantDeps, slug: string, error: unknown): Promise<never> {
  const isTaken = error instanceof Fault && error.code === "tenant.slug_taken";
  if (!isTaken || !(await tenants.findBySlug(slug))?.deletingAt) throw error;
  const detail = "The tenant with this slug is being deleted; the slug is free when that is done.";
  throw new Fault("tenant.slug_taken", { detail, cause: error });
}

/** Includes the progress of its deletion, if it is being deleted. */
export async function getTenant(
  deps: TenantDeps,
  principal: Principal,
  tenantId: string,
): Promise<TenantWithProgress> {
  requireAction(principal, "tenants.manage");
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant) throw noSuchTenant();
  return withProgress(deps, tenant);
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

/** New limits and settings hold from the next request, and for waiting executions from the next dispatch on. */
export async function updateTenant(
  deps: TenantDeps,
  principal: Principal,
  tenantId: string,
  change: TenantChange,
): Promise<Tenant> {
  requireAction(principal, "tenants.manage");
  const tenant = await applyChange(deps, principal, tenantId, change, "tenant.updated");
  await deps.queue
    .setLimits(tenantId, { limits: tenant.limits, asOf: tenant.updatedAt })
    .catch((error: unknown) => deps.report("telling the queue new limits failed; the next call does", error));
  return tenant;
}

/** The settings of the principal's own tenant. */
export async function getSettings(
  { tenants }: { tenants: Pick<TenantStore, "find"> },
  principal: Principal,
): Promise<TenantSettings> {
  const { tenantId } = requireTenant(principal, "settings.read");
  const tenant = await tenants.find(tenantId);
  if (!tenant) throw noSuchTenant();
  return tenant.settings;
}

/** Changes the settings of the principal's own tenant. Throws `shell.namespaces_admin_only`. */
export async function updateSettings(
  deps: ChangeDeps,
  principal: Principal,
  settings: TenantSettingsChange,
): Promise<TenantSettings> {
  const { tenantId } = requireTenant(principal, "settings.write");
  if (settings.shell?.engine === "namespaces") await requireNamespaces(deps, tenantId);
  return (await applyChange(deps, principal, tenantId, { settings }, "tenant.settings_updated")).settings;
}

/** Real programs stay where the platform's administrator has turned them on. */
async function requireNamespaces({ tenants }: Pick<ChangeDeps, "tenants">, tenantId: string): Promise<void> {
  if ((await tenants.find(tenantId))?.settings.shell.engine === "namespaces") return;
  throw new Fault("shell.namespaces_admin_only", {
    detail:
      "Commands in namespaces are programs on the platform's machines: ask its administrator to turn them on.",
    errors: [{ path: "shell.engine", message: "must be off or virtual" }],
  });
}

type ChangeDeps = Pick<TenantDeps, "tenants" | "bus" | "audit">;

async function applyChange(
  { tenants, bus, audit }: ChangeDeps,
  principal: Principal,
  tenantId: string,
  change: TenantChange,
  action: AuditAction,
): Promise<Tenant> {
  const tenant = (await tenants.update(tenantId, change)) ?? requirePresent(await tenants.find(tenantId));
  await bus.publish({ type: "forget", kind: "tenant", id: tenantId, tenantId });
  const { name, limits, settings } = change;
  await audit.record(principal, tenantId, {
    action,
    id: tenantId,
    name: tenant.slug,
    details: { fields: changedFields({ name, limits, ...settings }, GROUPS) },
  });
  return tenant;
}
