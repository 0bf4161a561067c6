import {
  newToolId,
  type Clock,
  type McpServerKey,
  type NewTool,
  type Tool,
  type ToolDefinition,
} from "@bulkhead/core";
import { followingOf } from "./offered-tool.ts";

/** A tool for what a server offers. The first ones of a server are active; the others wait for a person. */
export function newTool(
  { clock }: { clock: Clock },
  { tenantId, name: server }: McpServerKey,
  names: Pick<Tool, "name" | "alias">,
  definition: ToolDefinition,
  isFirst: boolean,
): NewTool {
  const { pinned } = definition;
  if (pinned === undefined) throw new TypeError("a server's tool has an offer");
  const { title, description, annotations, requiresApproval, idempotent, retry } = followingOf(pinned);
  return {
    ...definition,
    ...names,
    id: newToolId(),
    tenantId,
    agentId: null,
    mcp: { server, tool: pinned.tool },
    title,
    description,
    annotations,
    category: null,
    status: isFirst ? "active" : "pending_approval",
    review: isFirst ? null : { grown: [], proposedBy: null },
    requiresApproval,
    approval: null,
    idempotent,
    applyDefaults: null,
    retry,
    dispatch: null,
    retention: null,
    createdBy: "user",
    metadata: null,
    requiredApiKeys: [],
    requiredConfigServices: [],
    approved: null,
    createdAt: clock(),
  };
}
