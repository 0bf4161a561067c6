import type { Creator, Json, Tool, ToolStatus, ToolVersion } from "@bulkhead/domain";
import { readObject, readPermissions, readRequiredApiKeys, readRunLimits } from "../stored-json.ts";

/** The columns of a version `v`. */
export const VERSION_COLUMNS = "v.code, v.parameters, v.permissions, v.limits, v.allowed_hosts";

/** The columns of a tool `t` with its version `v`, named as `ToolRow` has them. */
export const TOOL_COLUMNS = `
  t.id, t.tenant_id, t.name, t.description, t.category, t.status, t.status_reason, t.requires_approval, t.idempotent, t.created_by, t.metadata,
  t.required_api_keys, t.version, t.usage_count::float8 AS usage_count, t.last_used_at, t.created_at, t.updated_at,
  ${VERSION_COLUMNS}`;

interface DefinitionRow {
  code: string;
  parameters: Json;
  permissions: string[];
  limits: Json;
  allowed_hosts: string[] | null;
}

export interface ToolRow extends DefinitionRow {
  id: string;
  tenant_id: string;
  name: string;
  description: string;
  category: string | null;
  status: ToolStatus;
  status_reason: string | null;
  requires_approval: boolean;
  idempotent: boolean;
  created_by: Creator;
  metadata: Json;
  required_api_keys: Json;
  version: number;
  usage_count: number;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface VersionRow extends DefinitionRow {
  tool_id: string;
  version: number;
  created_at: Date;
}

const toDefinition = (row: DefinitionRow) => ({
  code: row.code,
  parameters: readObject(row.parameters),
  permissions: readPermissions(row.permissions),
  limits: readRunLimits(row.limits),
  allowedHosts: row.allowed_hosts,
});

export const toTool = (row: ToolRow): Tool => ({
  ...toDefinition(row),
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  description: row.description,
  category: row.category,
  status: row.status,
  statusReason: row.status_reason,
  requiresApproval: row.requires_approval,
  idempotent: row.idempotent,
  createdBy: row.created_by,
  metadata: row.metadata === null ? null : readObject(row.metadata),
  requiredApiKeys: readRequiredApiKeys(row.required_api_keys),
  version: row.version,
  usageCount: row.usage_count,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const toVersion = (row: VersionRow): ToolVersion => ({
  ...toDefinition(row),
  toolId: row.tool_id,
  version: row.version,
  createdAt: row.created_at,
});
