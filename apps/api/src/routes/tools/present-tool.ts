import type { Tool, ToolServices } from "@bulkhead/core";
import { neededServices } from "@bulkhead/tools";

interface ShowToolDeps {
  toolServices: Pick<ToolServices, "unconfigured">;
}

/** Tools of one tenant as outsiders see them, each with those of its services that can't be used yet. */
export async function showTools(deps: ShowToolDeps, tenantId: string, tools: readonly Tool[]) {
  const unconfigured = await unconfiguredOf(deps, tenantId, tools);
  return tools.map((tool, n) => presentTool(tool, unconfigured[n] ?? [], []));
}

/** One tool likewise, with what its maker is warned of. */
export async function showTool(deps: ShowToolDeps, tool: Tool, warnings: string[] = []) {
  const [unconfigured = []] = await unconfiguredOf(deps, tool.tenantId, [tool]);
  return presentTool(tool, unconfigured, warnings);
}

const unconfiguredOf = (
  { toolServices }: ShowToolDeps,
  tenantId: string,
  tools: readonly Tool[],
): Promise<string[][]> =>
  toolServices.unconfigured(
    tenantId,
    tools.map((tool) => ({ services: neededServices(tool) })),
  );

/** A tool as outsiders see it; `userId` is the tenant that owns it. */
const presentTool = (tool: Tool, unconfiguredServices: string[], warnings: string[]) => ({
  id: tool.id,
  userId: tool.tenantId,
  name: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  code: tool.code,
  language: tool.language,
  outputSchema: tool.outputSchema ?? undefined,
  category: tool.category ?? undefined,
  status: tool.status,
  statusReason: tool.statusReason ?? undefined,
  permissions: tool.permissions,
  requiresApproval: tool.requiresApproval,
  approval: tool.approval ?? undefined,
  createdBy: tool.createdBy,
  agentId: tool.agentId ?? undefined,
  version: tool.version,
  pendingVersion: tool.pendingVersion ?? undefined,
  contentHash: tool.contentHash,
  usageCount: tool.usageCount,
  lastUsedAt: tool.lastUsedAt?.toISOString(),
  createdAt: tool.createdAt.toISOString(),
  updatedAt: tool.updatedAt.toISOString(),
  metadata: tool.metadata ?? undefined,
  requiredApiKeys: tool.requiredApiKeys,
  requiredConfigServices: tool.requiredConfigServices,
  services: tool.services,
  unconfiguredServices,
  limits: tool.limits,
  allowedHosts: tool.allowedHosts ?? undefined,
  idempotent: tool.idempotent,
  applyDefaults: tool.applyDefaults ?? undefined,
  retry: tool.retry ?? undefined,
  dispatch: tool.dispatch ?? undefined,
  retention: tool.retention ?? undefined,
  warnings: warnings.length > 0 ? warnings : undefined,
});
