import type { Tool } from "@bulkhead/domain";

/** A tool as outsiders see it; `userId` is the tenant that owns it. */
export const presentTool = (tool: Tool, warnings: string[] = []) => ({
  id: tool.id,
  userId: tool.tenantId,
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  code: tool.code,
  category: tool.category ?? undefined,
  status: tool.status,
  statusReason: tool.statusReason ?? undefined,
  permissions: tool.permissions,
  requiresApproval: tool.requiresApproval,
  createdBy: tool.createdBy,
  version: tool.version,
  usageCount: tool.usageCount,
  lastUsedAt: tool.lastUsedAt?.toISOString(),
  createdAt: tool.createdAt.toISOString(),
  updatedAt: tool.updatedAt.toISOString(),
  metadata: tool.metadata ?? undefined,
  requiredApiKeys: tool.requiredApiKeys,
  limits: tool.limits,
  allowedHosts: tool.allowedHosts ?? undefined,
  idempotent: tool.idempotent,
  warnings: warnings.length > 0 ? warnings : undefined,
});
