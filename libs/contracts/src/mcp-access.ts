import {
  MCP_GRANT_SCOPES,
  MCP_GRANT_TOOLS_MAX,
  MCP_REQUEST_ID,
  MCP_REQUEST_STATUSES,
  MCP_TOOL_NAME_CHARS_MAX,
  type McpGrant as Grant,
} from "@bulkhead/core";
import { z } from "zod";
import { pageCursor, pageLimit, reason, text, timestamp } from "./fields.ts";
import { McpServerName } from "./mcp-servers.ts";

const GRANTEE_CHARS_MAX = 256;

const scope = z.enum(MCP_GRANT_SCOPES).describe("`user`: `context.userId` of calls.");
const grantee = text(GRANTEE_CHARS_MAX, 1).describe("The agent's or the user's id.");
const tools = z.array(text(MCP_TOOL_NAME_CHARS_MAX, 1)).max(MCP_GRANT_TOOLS_MAX);
const toolAllow = tools
  .nullable()
  .describe("The tools that are given, as the server calls them; null: all of them.");

export const PutMcpGrant = z.strictObject({
  scope,
  id: grantee,
  toolAllow: toolAllow.default(null),
  toolDeny: tools
    .default([])
    .describe("What is taken away, whatever gives it: deny beats allow, also of another grant."),
  enabled: z.boolean().default(true).describe("False takes the whole server away."),
} satisfies Record<keyof Grant, z.ZodType>);

export const McpGrant = z
  .object({
    scope,
    id: z.string(),
    toolAllow,
    toolDeny: z.array(z.string()),
    enabled: z.boolean(),
  } satisfies Record<keyof Grant, z.ZodType>)
  .meta({ id: "McpGrant" });

export const McpGrantPut = McpGrant.extend({
  warnings: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export const McpGrants = z.object({ grants: z.array(McpGrant), nextCursor: z.null() });

export const McpGrantQuery = z.strictObject({ scope, id: grantee });

export const CreateMcpAccessRequest = z.strictObject({
  server: McpServerName,
  scope: scope.default("agent"),
  id: grantee
    .optional()
    .describe("Whose the tools would be. An agent's key asks for its own agent, and may leave it out."),
  toolAllow: toolAllow.default(null),
  reason: reason.optional().describe("Why, for whoever answers. Secrets in it are covered."),
});

export const AnswerMcpRequest = z.strictObject({
  reason: reason.optional().describe("Why, for whoever asked. Secrets in it are covered."),
});

export const McpAccessRequest = z
  .object({
    requestId: z.string(),
    server: z.string(),
    scope,
    id: z.string().describe("Whose the tools would be."),
    toolAllow,
    reason: z.string().optional(),
    status: z.enum(MCP_REQUEST_STATUSES),
    requestedBy: z.string().describe("Id of the key that asked."),
    createdAt: timestamp,
    answeredBy: z.string().optional().describe("Id of the key that answered."),
    answeredAt: timestamp.optional(),
    answer: z.string().optional().describe("Why it was answered so."),
  })
  .meta({ id: "McpAccessRequest" });

/** A moment, then the id of a request of that moment. */
const CURSOR = new RegExp(`^\\d{1,15}-${MCP_REQUEST_ID.source.slice(1)}`);

export const McpAccessQuery = z.strictObject({
  status: z.enum(MCP_REQUEST_STATUSES).optional().describe("Only requests that stand so."),
  server: McpServerName.optional().describe("Only requests for this server."),
  limit: pageLimit,
  cursor: pageCursor(CURSOR),
});

export const McpAccessPage = z.object({
  requests: z.array(McpAccessRequest),
  servers: z.array(z.string()).describe("The names of the tenant's servers, whose tools may be asked for."),
  nextCursor: z.string().nullable(),
});
