import assert from "node:assert/strict";

const PREFIX = "/api/v1";

/**
 * The names by which generated clients call each operation, by its method and route (without the prefix of the API). They are
 * permanent: a new name would break callers of the old one. A route that is not here can't be documented.
 */
export const OPERATION_IDS: Readonly<Record<string, string>> = {
  "GET /healthz": "getHealth",
  "GET /readyz": "getReadiness",

  "GET /tenants": "listTenants",
  "POST /tenants": "createTenant",
  "GET /tenants/:id": "getTenant",
  "PATCH /tenants/:id": "updateTenant",
  "DELETE /tenants/:id": "deleteTenant",
  "GET /tenants/:id/export": "exportTenant",
  "GET /tenants/:id/audit": "listTenantAudit",
  "GET /tenants/:id/api-keys": "listApiKeys",
  "POST /tenants/:id/api-keys": "createApiKey",
  "POST /tenants/:id/api-keys/:keyId/rotate": "rotateApiKey",
  "DELETE /tenants/:id/api-keys/:keyId": "deleteApiKey",
  "GET /tenant/settings": "getTenantSettings",
  "PATCH /tenant/settings": "updateTenantSettings",

  "GET /me": "whoAmI",
  "POST /session": "beginSession",
  "DELETE /session": "endSession",
  "POST /access-tokens": "createAccessToken",

  "GET /custom-tools": "listTools",
  "POST /custom-tools": "createTool",
  "GET /custom-tools/:id": "getTool",
  "PUT /custom-tools/:id": "putTool",
  "PATCH /custom-tools/:id": "updateTool",
  "DELETE /custom-tools/:id": "deleteTool",
  "GET /custom-tools/pending": "listPendingTools",
  "GET /custom-tools/stats": "getToolStats",
  "GET /custom-tools/active/definitions": "listToolDefinitions",
  "GET /custom-tools/types.d.ts": "listToolTypes",
  "GET /custom-tools/:id/types.d.ts": "getToolTypes",
  "GET /reference/tool-globals.d.ts": "getToolGlobals",
  "GET /custom-tools/export": "exportTools",
  "POST /custom-tools/import": "importTools",
  "POST /custom-tools/test": "testTool",
  "POST /custom-tools/:id/enable": "enableTool",
  "POST /custom-tools/:id/disable": "disableTool",
  "POST /custom-tools/:id/approve": "approveTool",
  "POST /custom-tools/:id/reject": "rejectTool",
  "POST /custom-tools/:id/execute": "executeTool",

  "GET /custom-tools/:id/versions": "listVersions",
  "GET /custom-tools/:id/versions/:n": "getVersion",
  "GET /custom-tools/:id/versions/:n/diff": "diffVersions",
  "GET /custom-tools/:id/versions/:n/evidence": "getVersionEvidence",
  "POST /custom-tools/:id/versions/:n/evidence": "addVersionEvidence",
  "POST /custom-tools/:id/versions/:n/approve": "approveVersion",
  "POST /custom-tools/:id/versions/:n/reject": "rejectVersion",
  "POST /custom-tools/:id/versions/:n/restore": "restoreVersion",

  "GET /meta-tools/definitions": "listMetaToolDefinitions",
  "POST /meta-tools/call_tool": "callCallTool",
  "POST /meta-tools/create_tool": "callCreateTool",
  "POST /meta-tools/delete_custom_tool": "callDeleteCustomTool",
  "POST /meta-tools/describe_tools": "callDescribeTools",
  "POST /meta-tools/list_custom_tools": "callListCustomTools",
  "POST /meta-tools/run_code": "callRunCode",
  "POST /meta-tools/search_tools": "callSearchTools",
  "POST /meta-tools/toggle_custom_tool": "callToggleCustomTool",
  "POST /meta-tools/update_tool": "callUpdateTool",

  "GET /executions": "listExecutions",
  "GET /executions/stats": "getExecutionStats",
  "GET /executions/:id": "getExecution",
  "GET /executions/:id/arguments": "getExecutionArguments",
  "GET /executions/:id/result": "getExecutionResult",
  "GET /executions/:id/events": "streamExecutionEvents",
  "GET /executions/:id/attempts": "listAttempts",
  "POST /executions/:id/cancel": "cancelExecution",
  "DELETE /executions/:id": "deleteExecution",
  "POST /executions/:id/replay": "replayExecution",
  "POST /executions/replay": "replayExecutions",
  "POST /executions/batch": "executeBatch",
  "GET /executions/:id/deliveries": "listDeliveries",
  "POST /executions/:id/deliveries/:n/redeliver": "redeliver",
  "GET /webhook-secret": "getWebhookSecret",
  "POST /webhook-secret/rotate": "rotateWebhookSecret",

  "GET /approvals": "listApprovals",
  "GET /approvals/:id": "getApproval",
  "POST /approvals/:id/allow-once": "allowOnce",
  "POST /approvals/:id/allow-always": "allowAlways",
  "POST /approvals/:id/deny": "denyApproval",
  "GET /approvals/standing": "listStandingApprovals",
  "DELETE /approvals/standing/:id": "deleteStandingApproval",
  "GET /events": "streamTenantEvents",

  "GET /schedules": "listSchedules",
  "POST /schedules": "createSchedule",
  "GET /schedules/:id": "getSchedule",
  "PATCH /schedules/:id": "updateSchedule",
  "DELETE /schedules/:id": "deleteSchedule",
  "POST /schedules/:id/pause": "pauseSchedule",
  "POST /schedules/:id/resume": "resumeSchedule",
  "POST /schedules/:id/run": "runSchedule",

  "GET /config-services": "listConfigServices",
  "POST /config-services": "createConfigService",
  "GET /config-services/:name": "getConfigService",
  "PATCH /config-services/:name": "updateConfigService",
  "DELETE /config-services/:name": "deleteConfigService",
  "GET /config-services/:name/entries": "listConfigEntries",
  "POST /config-services/:name/entries": "createConfigEntry",
  "PATCH /config-services/:name/entries/:label": "updateConfigEntry",
  "DELETE /config-services/:name/entries/:label": "deleteConfigEntry",
  "GET /scrub-rules": "listScrubRules",
  "POST /scrub-rules": "createScrubRule",
  "DELETE /scrub-rules/:id": "deleteScrubRule",

  "GET /policy": "getPolicy",
  "PUT /policy": "putPolicy",
  "POST /policy/explain": "explainPolicy",

  "GET /audit": "listAuditEntries",
  "GET /usage": "getUsage",
  "GET /load": "getLoad",
  "GET /system": "getSystem",
  "GET /system/load": "getSystemLoad",
};

export function operationIdOf(method: string, url: string): string {
  const route = `${method} ${url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : url}`;
  const id = OPERATION_IDS[route];
  assert(id, `${route} has no operation id; give it one in operation-ids.ts`);
  return id;
}
