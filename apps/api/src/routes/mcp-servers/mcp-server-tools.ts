import { ApproveMcpTool, McpServerQuery, McpServerTool, McpServerTools, shownAs } from "@bulkhead/contracts";
import type { McpServerTool as Tool } from "@bulkhead/core";
import { decideMcpTool, listMcpTools } from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, McpServerParams, McpServerToolParams, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["mcp-servers"];
const decide = { tags, params: McpServerToolParams, response: answers({ 200: McpServerTool }) };

/** Tools of an MCP server, and people's words on them. */
export function mcpServerToolRoutes(app: ApiScope, deps: Parameters<typeof listMcpTools>[0]): void {
  app.get(
    "/mcp-servers/:name/tools",
    {
      config: { action: "mcpServers.read", isLarge: true },
      schema: {
        tags,
        summary: "List what it has offered, and how each tool stands",
        params: McpServerParams,
        querystring: McpServerQuery,
        response: answers({ 200: McpServerTools }),
      },
    },
    async (request) => {
      const { tenantId } = request.query;
      const tools = await listMcpTools(deps, request.principal, { ...request.params, tenantId });
      return ok(request, { tools: tools.map(presentTool), nextCursor: null });
    },
  );

  app.post(
    "/mcp-servers/:name/tools/:tool/approve",
    {
      config: { action: "tools.approve" },
      schema: {
        ...decide,
        summary: "Let the tool be called as its server offers it",
        body: ApproveMcpTool,
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const decision = { approve: true, version: body.version } as const;
      return ok(request, presentTool(await decideMcpTool(deps, principal, params, decision)));
    },
  );

  app.post(
    "/mcp-servers/:name/tools/:tool/block",
    {
      config: { action: "tools.approve" },
      schema: { ...decide, summary: "Take the tool away until a person approves it" },
    },
    async (request) => {
      const { principal, params } = request;
      return ok(request, presentTool(await decideMcpTool(deps, principal, params, { approve: false })));
    },
  );
}

const presentTool = (tool: Tool) =>
  shownAs(McpServerTool, tool, {
    annotations: tool.annotations ?? undefined,
    waiting: tool.waiting === null ? undefined : presentWaiting(tool.waiting),
  });

const presentWaiting = ({ title, annotations, outputSchema, ...rest }: NonNullable<Tool["waiting"]>) => ({
  ...rest,
  ...(title !== null && { title }),
  ...(annotations !== null && { annotations }),
  ...(outputSchema !== null && { outputSchema }),
});
