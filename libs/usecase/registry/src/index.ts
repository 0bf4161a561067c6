export { deleteTool, moveTool, type ToolMove } from "./change-status.ts";
export { checkAllowedHosts } from "./check-allowed-hosts.ts";
export { checkDefinition, checkName, definitionWarnings } from "./check-definition.ts";
export { createTool, type CreateToolRequest } from "./create-tool.ts";
export { getTool, listTools, noSuchTool } from "./read-tools.ts";
export type { ToolDeps } from "./tool-deps.ts";
export { updateTool, type UpdateToolRequest } from "./update-tool.ts";
