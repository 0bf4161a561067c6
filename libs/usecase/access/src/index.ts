export { hashApiKey, newApiKeyText } from "./api-key-text.ts";
export { createApiKey, deleteApiKey, listApiKeys, type ApiKeyDeps } from "./api-keys.ts";
export { authenticate, type AuthenticateDeps } from "./authenticate.ts";
export { continueDeletions, type DeletionDeps } from "./continue-deletions.ts";
export { deleteTenant, type DeleteTenantDeps } from "./delete-tenant.ts";
export type { TenantWithProgress } from "./deletion-progress.ts";
export { DEMO_SLUG, ensureDemo, type EnsureDemoDeps } from "./ensure-demo.ts";
export { exportTenant, type ExportDeps } from "./export-tenant.ts";
export { requireAction, requireApprover, requireTenant, rolesOf, type Action } from "./roles.ts";
export {
  createTenant,
  getSettings,
  getTenant,
  listTenants,
  updateSettings,
  updateTenant,
  type TenantDeps,
} from "./tenants.ts";
