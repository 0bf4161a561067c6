import {
  contentHash,
  type Creator,
  type Json,
  type Tool,
  type ToolDefinition,
  type ToolLanguage,
  type ToolStatus,
  type ToolVersion,
  type VersionState,
  type VersionSummary,
} from "@bulkhead/core";
import { readToolApproval } from "../approvals/approval-json.ts";
import { readRequiredServices } from "../config/config-json.ts";
import { readCapabilities } from "./review-json.ts";
import {
  readObject,
  readPermissions,
  readRequiredApiKeys,
  readRetention,
  readRetry,
  readRunLimits,
  readToolDispatch,
} from "../stored-json.ts";

/** The columns of a version `v`, named as `DefinitionRow` has them. */
const DEFINITION_COLUMNS =
  "v.code, v.language, v.compiled, v.parameters, v.output_schema, v.permissions, v.limits, v.allowed_hosts, v.services, v.content_hash";

/** A version that never had to wait has no review. */
const STATE_COLUMN =
  "coalesce((SELECT r.state FROM version_reviews AS r WHERE r.tool_id = v.tool_id AND r.version = v.version), 'approved') AS state";

/** The columns of a version `v`, named as `VersionRow` has them. */
export const VERSION_COLUMNS = `v.tool_id, v.version, v.created_at, ${STATE_COLUMN}, ${DEFINITION_COLUMNS}`;

/** Likewise for `toSummary`, which needs code and schema only of versions from before there was a hash. */
export const SUMMARY_COLUMNS = `v.tool_id, v.version, v.created_at, ${STATE_COLUMN}, v.language, v.permissions, v.limits, v.allowed_hosts,
  v.services, v.content_hash, NULL AS compiled, NULL AS output_schema,
  CASE WHEN v.content_hash IS NULL THEN v.code ELSE '' END AS code,
  CASE WHEN v.content_hash IS NULL THEN v.parameters END AS parameters`;

/** The columns of a tool `t` with its version `v`, named as `ToolRow` has them. */
export const TOOL_COLUMNS = `
  t.id, t.tenant_id, t.agent_id, t.name, t.description, t.category, t.status, t.status_reason, t.requires_approval, t.approval, t.idempotent, t.apply_defaults, t.retry, t.dispatch, t.retention, t.created_by, t.metadata,
  t.required_api_keys, t.required_config_services, t.version, t.pending_version, t.approved, t.revision, t.usage_count::float8 AS usage_count, t.last_used_at, t.created_at, t.updated_at,
  ${DEFINITION_COLUMNS}`;

interface DefinitionRow {
  code: string;
  language: ToolLanguage;
  compiled: string | null;
  parameters: Json;
  output_schema: Json;
  permissions: string[];
  limits: Json;
  allowed_hosts: string[] | null;
  services: string[];
  content_hash: string | null;
}

export interface ToolRow extends DefinitionRow {
  id: string;
  tenant_id: string;
  agent_id: string | null;
  name: string;
  description: string;
  category: string | null;
  status: ToolStatus;
  status_reason: string | null;
  requires_approval: boolean;
  approval: string | null;
  idempotent: boolean;
  apply_defaults: boolean | null;
  retry: Json;
  dispatch: Json;
  retention: Json;
  created_by: Creator;
  metadata: Json;
  required_api_keys: Json;
  required_config_services: Json;
  version: number;
  pending_version: number | null;
  approved: Json;
  revision: number;
  usage_count: number;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface VersionRow extends DefinitionRow {
  tool_id: string;
  state: VersionState;
  version: number;
  created_at: Date;
}

const toDefinition = (row: DefinitionRow): ToolDefinition => ({
  code: row.code,
  language: row.language,
  compiled: row.compiled,
  parameters: readObject(row.parameters),
  outputSchema: row.output_schema === null ? null : readObject(row.output_schema),
  permissions: readPermissions(row.permissions),
  limits: readRunLimits(row.limits),
  allowedHosts: row.allowed_hosts,
  services: row.services,
});

/** Versions from before there was a hash have none in their row. */
const withHash = (row: DefinitionRow): ToolDefinition & { contentHash: string } => {
  const definition = toDefinition(row);
  return { ...definition, contentHash: row.content_hash ?? contentHash(definition) };
};

export const toTool = (row: ToolRow): Tool => ({
  ...withHash(row),
  id: row.id,
  tenantId: row.tenant_id,
  agentId: row.agent_id,
  name: row.name,
  description: row.description,
  category: row.category,
  status: row.status,
  statusReason: row.status_reason,
  requiresApproval: row.requires_approval,
  approval: readToolApproval(row.approval),
  idempotent: row.idempotent,
  applyDefaults: row.apply_defaults,
  retry: readRetry(row.retry),
  dispatch: readToolDispatch(row.dispatch),
  retention: readRetention(row.retention),
  createdBy: row.created_by,
  metadata: row.metadata === null ? null : readObject(row.metadata),
  requiredApiKeys: readRequiredApiKeys(row.required_api_keys),
  requiredConfigServices: readRequiredServices(row.required_config_services),
  version: row.version,
  pendingVersion: row.pending_version,
  approved: row.approved === null ? null : readCapabilities(row.approved),
  revision: row.revision,
  usageCount: row.usage_count,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const toVersion = (row: VersionRow): ToolVersion => ({
  ...withHash(row),
  toolId: row.tool_id,
  state: row.state,
  version: row.version,
  createdAt: row.created_at,
});

export function toSummary(row: VersionRow): VersionSummary {
  const {
    code: _code,
    compiled: _compiled,
    parameters: _in,
    outputSchema: _out,
    ...summary
  } = toVersion(row);
  return summary;
}
