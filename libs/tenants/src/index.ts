export {
  type AccessTokenDeps,
  createAccessToken,
  requireOperation,
  whoAsks,
} from "./access/access-tokens.ts";
export { hashApiKey } from "./access/api-key-text.ts";
export {
  type ApiKeyDeps,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  rotateApiKey,
  showApiKey,
} from "./access/api-keys.ts";
export { type AuthenticateDeps, authenticate, type Credentials } from "./access/authenticate.ts";
export { continueDeletions } from "./access/continue-deletions.ts";
export { type DeleteTenantDeps, deleteTenant } from "./access/delete-tenant.ts";
export type { TenantWithProgress } from "./access/deletion-progress.ts";
export { ensureDemo } from "./access/ensure-demo.ts";
export { type ExportDeps, exportTenant } from "./access/export-tenant.ts";
export { KeyUses, type KeyUsesDeps } from "./access/key-uses.ts";
export { type Action, requireAction, requireApprover, requireTenant, rolesOf } from "./access/roles.ts";
export { beginSession, createLoginCode, type SessionDeps, type SessionStart } from "./access/sessions.ts";
export {
  type TenantDeps,
  createTenant,
  getSettings,
  getTenant,
  listTenants,
  updateSettings,
  updateTenant,
} from "./access/tenants.ts";
export { auditLog } from "./audit/audit-log.ts";
export { tellDeeds } from "./audit/tell-deeds.ts";
export { showAuditEntry } from "./audit/show-audit-entry.ts";
export { type ListAuditDeps, listAudit, listAuditOf } from "./audit/list-audit.ts";
export type { ConfigDeps } from "./config/config-deps.ts";
export { deleteEntry, updateEntry } from "./config/entries/change-entry.ts";
export { createEntry } from "./config/entries/create-entry.ts";
export { serviceConfigs } from "./config/open-services.ts";
export {
  type CreateRuleRequest,
  type ScrubRuleDeps,
  createScrubRule,
  deleteScrubRule,
  listScrubRules,
} from "./config/scrub-rules/scrub-rules.ts";
export { coverReason, tenantScrubRules } from "./config/scrub-rules/tenant-rules.ts";
export { deleteService, updateService } from "./config/services/change-service.ts";
export { createService } from "./config/services/create-service.ts";
export { listServices, readService, type ListedService } from "./config/services/read-services.ts";
export { showServiceSummary, standingOf } from "./config/services/show-service.ts";
export { getService, serviceTag } from "./config/services/service-state.ts";
export { toolServices } from "./config/tool-services.ts";
export {
  type ConnectDeps,
  type Connecting,
  findConnecting,
  renewCommands,
  type RenewDeps,
} from "./devices/connect-device.ts";
export { type DeviceDeps, getDevice, listDevices, removeDevice, updateDevice } from "./devices/devices.ts";
export { createPairingCode, type PairDeps, pairDevice } from "./devices/pair-device.ts";
export {
  answerMcpRequest,
  listMcpRequests,
  listMcpServerNames,
  requestMcpAccess,
} from "./mcp/access-requests.ts";
export { deleteMcpGrant, listMcpGrants, putMcpGrant } from "./mcp/grants.ts";
export { tellStates } from "./mcp/tell-states.ts";
export { type AgentsDeps, listAgents } from "./policy/list-agents.ts";
export { explainTool } from "./policy/explain-tool.ts";
export type { McpAccessDeps, McpServerDeps, McpSwitchDeps } from "./mcp/mcp-deps.ts";
export { showMcpServer } from "./mcp/show-server.ts";
export { decideMcpTool, listMcpTools } from "./mcp/server-tools.ts";
export {
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  listMcpServers,
  lookAtMcpServer,
  refreshMcpServer,
  switchMcpServer,
  updateMcpServer,
} from "./mcp/servers.ts";
export { showExplanation, showVerdict } from "./policy/show-explanation.ts";
export { explainPolicy, type Explained, type Explanation } from "./policy/explain-policy.ts";
export { openPolicies, type Policies } from "./policy/policies.ts";
export { getPolicy, type PolicyDeps, putPolicy, warnOfApprovals } from "./policy/tenant-policy.ts";
