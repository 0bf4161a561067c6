import {
  canonicalJson,
  Fault,
  MCP_SERVER_OFF,
  type TenantPrincipal,
  type Tool,
  type ToolStatus,
} from "@bulkhead/core";
import { RESTLESS } from "../bridged/plan-sync.ts";
import type { UpdateToolRequest } from "./next-definition.ts";

/** What a tenant says itself of a server's tool; all else is as its server offers it and as the server is set up. */
const OWN_FIELDS: ReadonlySet<keyof UpdateToolRequest> = new Set([
  "alias",
  "category",
  "approval",
  "applyDefaults",
  "dispatch",
  "retention",
  "metadata",
  "goesOnFrom",
  "conversationId",
] as const);

/** Throws `tool.bridged` with each field of a change that is not the tenant's to say. */
export function requireOwnFields(current: Tool, request: UpdateToolRequest): void {
  if (current.mcp === null) return;
  const { server } = current.mcp;
  const fields = (Object.keys(request) as (keyof UpdateToolRequest)[]).filter(
    (field) => !OWN_FIELDS.has(field) && isChanged(request[field], current[field as keyof Tool]),
  );
  if (fields.length === 0) return;
  const message = `is as the MCP server "${server}" offers it, or as it is set up`;
  throw new Fault("tool.bridged", {
    detail: `The tool ${current.name} is one of the MCP server "${server}": ${fields.join(", ")} can't be changed. Change the server (PATCH /api/v1/mcp-servers/${server}); alias, category, approval, applyDefaults, dispatch, retention and metadata are yours.`,
    errors: fields.map((path) => ({ path, message })),
  });
}

/** Null takes away what is not there: nothing. */
const isChanged = (said: unknown, is: unknown): boolean =>
  said !== undefined && canonicalJson(said) !== canonicalJson(is ?? null);

/** Throws `tool.bridged`, with what to do instead, where the tool is a server's. */
export function requireNotBridged({ mcp, name }: Pick<Tool, "mcp" | "name">, instead: string): void {
  if (mcp === null) return;
  throw new Fault("tool.bridged", {
    detail: `The tool ${name} is one of the MCP server "${mcp.server}": ${instead}`,
  });
}

/**
 * A person blocks a tool, or deletes its server: what the server offers would else be taken again. What was rejected before
 * it ever ran may be deleted, and waits anew.
 */
export function requireDeletable(tool: Pick<Tool, "mcp" | "name"> & { status: ToolStatus }): void {
  if (tool.status === "rejected" || tool.mcp === null) return;
  const { server } = tool.mcp;
  requireNotBridged(
    tool,
    `it is not deleted by itself. Block it with POST /api/v1/mcp-servers/${server}/tools/{tool}/block, or delete the server.`,
  );
}

/**
 * What the platform took away comes back by its server, or by an approval; what is blocked, by who may approve. A tool that
 * changed too often is as it was approved, so that who may approve may say that it shall be called.
 */
export function requireEnablable(
  tool: Pick<Tool, "mcp" | "name" | "status" | "statusReason">,
  { role, approval }: Pick<TenantPrincipal, "role" | "approval">,
): void {
  if (tool.status !== "disabled") return;
  if (tool.statusReason === MCP_SERVER_OFF)
    requireNotBridged(
      tool,
      `it is called again once that is enabled (POST /api/v1/mcp-servers/${tool.mcp?.server}/enable).`,
    );
  if (tool.statusReason !== null && tool.statusReason !== RESTLESS)
    requireNotBridged(
      tool,
      `${tool.statusReason} Approve what it offers now, where a version waits; as it was it can't be called.`,
    );
  const mayApprove = role === "owner" || (role === "developer" && approval.developersMayApprove);
  if (!mayApprove)
    requireNotBridged(
      tool,
      `${tool.statusReason ?? "it is blocked."} A person who may approve brings it back.`,
    );
}
