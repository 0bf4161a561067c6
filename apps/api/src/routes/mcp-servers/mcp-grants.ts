import { Deleted, McpGrantPut, McpGrantQuery, McpGrants, PutMcpGrant } from "@bulkhead/contracts";
import {
  deleteMcpGrant,
  listMcpGrants,
  putMcpGrant,
  requireTenant,
  type McpAccessDeps,
} from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, McpServerParams, type ApiScope } from "../../edge/route-schema.ts";

const of = { tags: ["mcp-servers"], params: McpServerParams };

/** What agents and users get of an MCP server. */
export function mcpGrantRoutes(app: ApiScope, deps: McpAccessDeps): void {
  app.get(
    "/mcp-servers/:name/grants",
    {
      config: { action: "mcpGrants.read" },
      schema: {
        ...of,
        summary: "List what was said of agents and users",
        response: answers({ 200: McpGrants }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "mcpGrants.read");
      const grants = await listMcpGrants(deps, principal, request.params.name);
      return ok(request, { grants, nextCursor: null });
    },
  );

  app.post(
    "/mcp-servers/:name/grants",
    {
      config: { action: "mcpGrants.write" },
      schema: {
        ...of,
        summary: "Say what an agent or a user gets of it, in the place of what was said before",
        description:
          "Deny beats allow, whichever grant says either. Where a grant speaks of the agent or the user, one of them must give the tool; where none does, the server's `agentIds` decide.",
        body: PutMcpGrant,
        response: answers({ 200: McpGrantPut }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "mcpGrants.write");
      const { put, warnings } = await putMcpGrant(deps, principal, request.params.name, request.body);
      return ok(request, { ...put, ...(warnings.length > 0 && { warnings }) });
    },
  );

  app.delete(
    "/mcp-servers/:name/grants",
    {
      config: { action: "mcpGrants.write" },
      schema: {
        ...of,
        summary: "Say nothing of an agent or a user any more",
        querystring: McpGrantQuery,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "mcpGrants.write");
      await deleteMcpGrant(deps, principal, request.params.name, request.query);
      return ok(request, { deleted: true as const });
    },
  );
}
