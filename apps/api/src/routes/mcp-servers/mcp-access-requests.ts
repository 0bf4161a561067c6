import {
  AnswerMcpRequest,
  CreateMcpAccessRequest,
  McpAccessPage,
  McpAccessQuery,
  McpAccessRequest,
  oneMore,
  pageOf,
  shownAs,
} from "@bulkhead/contracts";
import { compact, type McpAccessRequest as Request } from "@bulkhead/core";
import {
  answerMcpRequest,
  type coverReason,
  listMcpRequests,
  listMcpServerNames,
  requestMcpAccess,
  requireTenant,
  type McpAccessDeps,
} from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, McpAccessParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Given } from "../../given.ts";

const tags = ["mcp-servers"];

export interface McpAccessRouteDeps extends McpAccessDeps {
  coverReason: Given<typeof coverReason>;
}

/** Wishes to get an MCP server's tools, and people's answers. */
export function mcpAccessRoutes(app: ApiScope, deps: McpAccessRouteDeps): void {
  app.get(
    "/mcp-access-requests",
    {
      config: { action: "mcpAccess.read" },
      schema: {
        tags,
        summary:
          "List requests for access, newest first, an agent's key its own; and whose tools may be asked for",
        querystring: McpAccessQuery,
        response: answers({ 200: McpAccessPage }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "mcpAccess.read");
      const { limit, cursor, ...query } = request.query;
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const asked = compact({ ...query, before, limit: oneMore(limit) });
      const { page, nextCursor } = pageOf(await listMcpRequests(deps, principal, asked), limit, cursorOf);
      const servers = await listMcpServerNames(deps, principal);
      return ok(request, { requests: page.map(presentRequest), servers, nextCursor });
    },
  );

  app.post(
    "/mcp-access-requests",
    {
      config: { action: "mcpAccess.request" },
      schema: {
        tags,
        summary: "Ask for a server's tools; what is asked for already is answered with what waits",
        body: CreateMcpAccessRequest,
        response: answers({ 201: McpAccessRequest }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "mcpAccess.request");
      const reason = (await deps.coverReason(principal.tenantId, request.body.reason)) ?? null;
      const made = await requestMcpAccess(deps, principal, { ...request.body, id: request.body.id, reason });
      // No route reads one request by itself.
      void reply.status(201).header("location", "/api/v1/mcp-access-requests");
      return ok(request, presentRequest(made));
    },
  );

  for (const [move, status, summary] of [
    ["approve", "approved", "Grant what was asked for, in the same moment"],
    ["reject", "rejected", "Reject it, with a reason for whoever asked"],
  ] as const)
    app.post(
      `/mcp-access-requests/:id/${move}`,
      {
        config: { action: "mcpAccess.answer" },
        schema: {
          tags,
          summary,
          params: McpAccessParams,
          body: AnswerMcpRequest,
          response: answers({ 200: McpAccessRequest }),
        },
      },
      async (request) => {
        const principal = requireTenant(request.principal, "mcpAccess.answer");
        const reason = (await deps.coverReason(principal.tenantId, request.body.reason)) ?? null;
        const answered = await answerMcpRequest(deps, principal, request.params.id, { status, reason });
        return ok(request, presentRequest(answered));
      },
    );
}

const presentRequest = (request: Request) =>
  shownAs(McpAccessRequest, request, { toolAllow: request.toolAllow });

const cursorOf = ({ createdAt, requestId }: Request): string => `${createdAt.getTime()}-${requestId}`;

/** The contract lets through what `cursorOf` writes. */
function readCursor(cursor: string): { createdAt: Date; requestId: string } {
  const at = cursor.indexOf("-");
  return { createdAt: new Date(Number(cursor.slice(0, at))), requestId: cursor.slice(at + 1) };
}
