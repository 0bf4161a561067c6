import {
  CreateMcpServer,
  Deleted,
  McpServer,
  McpServerQuery,
  McpServers,
  McpServerTest,
  UpdateMcpServer,
  shownAs,
} from "@bulkhead/contracts";
import { compact, type McpLook, type McpServerTools } from "@bulkhead/core";
import {
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  listMcpServers,
  lookAtMcpServer,
  refreshMcpServer,
  showMcpServer,
  switchMcpServer,
  updateMcpServer,
  type McpServerDeps,
  type McpSwitchDeps,
} from "@bulkhead/tenants";
import type { FastifyReply } from "fastify";
import { ok } from "../../edge/envelope.ts";
import { leaving } from "../../edge/leaving.ts";
import { answers, McpServerParams, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["mcp-servers"];
const read = { action: "mcpServers.read" } as const;
const write = { action: "mcpServers.write" } as const;
const one = { tags, params: McpServerParams, querystring: McpServerQuery };

/** A connection and a first list of tools are there by then, or not at all; milliseconds. */
const LOOK_MS_MAX = 45_000;

/** Others' MCP servers, whose tools become the tenant's. */
export function mcpServerRoutes(app: ApiScope, deps: McpServerDeps & McpSwitchDeps & CountDeps): void {
  app.get(
    "/mcp-servers",
    {
      config: read,
      schema: {
        tags,
        summary: "List the tenant's MCP servers by name, and how each is going",
        querystring: McpServerQuery,
        response: answers({ 200: McpServers }),
      },
    },
    async (request) => {
      const servers = await listMcpServers(deps, request.principal, request.query.tenantId);
      const counts = servers[0] && (await deps.mcpServerTools.counts(servers[0].tenantId));
      return ok(request, {
        servers: servers.map((server) => showMcpServer(server, counts)),
        nextCursor: null,
      });
    },
  );

  app.post(
    "/mcp-servers",
    {
      config: write,
      schema: {
        tags,
        summary: "Register an MCP server; its tools come with the first connection",
        description:
          "What it offers then is taken as it is. Later tools, and other words or schemas of a known one, wait for a person. A `stdio` server is registered by the administrator's key with `?tenantId=`.",
        querystring: McpServerQuery,
        body: CreateMcpServer,
        response: answers({ 201: McpServer }),
      },
    },
    async (request, reply) => {
      const { name, ...setup } = request.body;
      const { tenantId } = request.query;
      const server = await createMcpServer(deps, request.principal, { tenantId, name }, setup);
      void reply.status(201).header("location", `/api/v1/mcp-servers/${name}`);
      return ok(request, showMcpServer(server));
    },
  );

  app.get(
    "/mcp-servers/:name",
    {
      config: read,
      schema: { ...one, summary: "Read an MCP server", response: answers({ 200: McpServer }) },
    },
    async (request) => {
      const server = await getMcpServer(deps, request.principal, named(request));
      return ok(request, showMcpServer(server, await deps.mcpServerTools.counts(server.tenantId)));
    },
  );

  app.patch(
    "/mcp-servers/:name",
    {
      config: { ...write, needsBody: true },
      schema: {
        ...one,
        summary: "Change the given fields; a connection with what was there before is closed",
        body: UpdateMcpServer,
        response: answers({ 200: McpServer }),
      },
    },
    async (request) => {
      const { principal, body } = request;
      return ok(
        request,
        showMcpServer(await updateMcpServer(deps, principal, named(request), compact(body))),
      );
    },
  );

  app.delete(
    "/mcp-servers/:name",
    {
      config: write,
      schema: {
        ...one,
        summary: "Delete an MCP server with its tools, grants and requests",
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await deleteMcpServer(deps, request.principal, named(request));
      return ok(request, { deleted: true as const });
    },
  );

  for (const [move, enabled, summary] of [
    ["enable", true, "Let its tools be called again, and forget failed connections"],
    ["disable", false, "Close the connection, and call none of its tools"],
  ] as const)
    app.post(
      `/mcp-servers/:name/${move}`,
      { config: write, schema: { ...one, summary, response: answers({ 200: McpServer }) } },
      async (request) =>
        ok(request, showMcpServer(await switchMcpServer(deps, request.principal, named(request), enabled))),
    );

  app.post(
    "/mcp-servers/:name/refresh",
    {
      config: { ...write, needsRedis: true },
      schema: {
        ...one,
        summary: "Connect where nobody is connected, and take what it offers now",
        response: answers({ 200: McpServer }),
      },
    },
    async (request, reply) => {
      const server = await refreshMcpServer(deps, request.principal, named(request), whileAsked(reply));
      return ok(request, showMcpServer(server));
    },
  );

  app.post(
    "/mcp-servers/:name/test",
    {
      config: { ...write, needsRedis: true },
      schema: {
        ...one,
        summary: "Do the same, and tell what was found, or why it can't be reached",
        response: answers({ 200: McpServerTest }),
      },
    },
    async (request, reply) =>
      ok(
        request,
        presentLook(await lookAtMcpServer(deps, request.principal, named(request), whileAsked(reply))),
      ),
  );
}

const named = ({
  params,
  query,
}: {
  params: { name: string };
  query: { tenantId?: string | undefined };
}): { name: string; tenantId: string | undefined } => ({ name: params.name, tenantId: query.tenantId });

const whileAsked = (reply: FastifyReply): AbortSignal =>
  AbortSignal.any([leaving(reply), AbortSignal.timeout(LOOK_MS_MAX)]);

interface CountDeps {
  mcpServerTools: Pick<McpServerTools, "counts">;
}

const presentLook = (look: McpLook) =>
  look.ok
    ? { ...shownAs(McpServerTest, look, { tools: look.offers.length }) }
    : { ok: false, message: look.message };
