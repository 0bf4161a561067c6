import { shownName, toldDescription, type Tool, type ToolSummary } from "@bulkhead/core";

/** A tool as a list shows it to a model. */
export const summaryOf = (tool: ToolSummary) => ({
  id: tool.id,
  name: shownName(tool),
  description: toldDescription(tool),
  status: tool.status,
  ...(tool.category === null ? {} : { category: tool.category }),
  createdBy: tool.createdBy,
  usageCount: tool.usageCount,
});

/** The answer about a tool that the model made or changed; without its code, which the model has just written. */
export const changedTool = (tool: Tool, message: string, warnings: string[] = []) => ({
  ...summaryOf(tool),
  version: tool.version,
  ...(tool.pendingVersion === null ? {} : { pendingVersion: tool.pendingVersion }),
  permissions: tool.permissions,
  requiresApproval: tool.requiresApproval,
  message,
  ...(warnings.length > 0 ? { warnings } : {}),
});
