import {
  DANGEROUS_PERMISSIONS,
  newToolId,
  RUN_LIMITS_DEFAULT,
  type Creator,
  type JsonObject,
  type Permission,
  type RequiredApiKey,
  type RunLimits,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/domain";
import { checkAllowedHosts } from "./check-allowed-hosts.ts";
import { checkDefinition, checkName, definitionWarnings } from "./check-definition.ts";
import type { ToolDeps } from "./tool-deps.ts";

export interface CreateToolRequest {
  name: string;
  description: string;
  parameters: JsonObject;
  code: string;
  category: string | null;
  permissions: Permission[];
  limits: Partial<RunLimits>;
  /** Null: any public host. */
  allowedHosts: string[] | null;
  idempotent: boolean;
  createdBy: Creator;
  /** Undefined: a model's tool needs approval of each call, a person's does not. */
  requiresApproval: boolean | undefined;
  metadata: JsonObject | null;
  requiredApiKeys: RequiredApiKey[];
}

/** Stores a tool after checking its name, code and schema. Throws the faults of those, and `tool.name_taken`. */
export async function createTool(
  deps: ToolDeps,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<{ tool: Tool; warnings: string[] }> {
  checkName(request.name);
  await checkDefinition(deps.schemas, request);
  const createdBy = principal.role === "agent" ? "llm" : request.createdBy;
  const permissions = [...new Set(request.permissions)].toSorted();
  const waits =
    createdBy === "llm" && permissions.some((permission) => DANGEROUS_PERMISSIONS.includes(permission));
  const tool = await deps.tools.create({
    id: newToolId(),
    tenantId: principal.tenantId,
    name: request.name,
    description: request.description,
    category: request.category,
    parameters: request.parameters,
    code: request.code,
    permissions,
    limits: { ...RUN_LIMITS_DEFAULT, ...request.limits },
    allowedHosts: checkAllowedHosts(request.allowedHosts),
    idempotent: request.idempotent,
    status: waits ? "pending_approval" : "active",
    // A model's tool is confirmed call by call whatever its maker says.
    requiresApproval: createdBy === "llm" || (request.requiresApproval ?? false),
    createdBy,
    metadata: request.metadata,
    requiredApiKeys: request.requiredApiKeys,
    createdAt: deps.clock(),
  });
  return { tool, warnings: definitionWarnings(permissions, request.requiredApiKeys) };
}
