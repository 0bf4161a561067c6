import type { Tool, ToolSummary } from "@bulkhead/core";

/** What a model is told of a tool in a list. */
export const summaryOf = (tool: ToolSummary) => ({
  id: tool.id,
  name: tool.name,
  description: tool.description,
  status: tool.status,
  ...(tool.category === null ? {} : { category: tool.category }),
  createdBy: tool.createdBy,
  usageCount: tool.usageCount,
});

/** What a model is told of a tool that it made or changed; without its code, which the model has just written. */
export const changedTool = (tool: Tool, message: string, warnings: string[] = []) => ({
  ...summaryOf(tool),
  version: tool.version,
  ...(tool.pendingVersion === null ? {} : { pendingVersion: tool.pendingVersion }),
  permissions: tool.permissions,
  requiresApproval: tool.requiresApproval,
  message,
  ...(warnings.length > 0 ? { warnings } : {}),
});
