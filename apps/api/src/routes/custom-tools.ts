import { requireTenant } from "@bulkhead/access";
import { CreateTool, Deleted, Tool, ToolList, ToolQuery, UpdateTool } from "@bulkhead/contracts";
import {
  createTool,
  deleteTool,
  getTool,
  listTools,
  moveTool,
  updateTool,
  type ToolDeps,
} from "@bulkhead/registry";
import { ok } from "../http/envelope.ts";
import { answers, ToolParams, type ApiScope } from "../http/route-schema.ts";
import { compact } from "../present/compact.ts";
import { presentTool } from "../present/present-tool.ts";

const tags = ["custom-tools"];

/** The life of a tool: create, read, change, switch, delete. */
export function customToolRoutes(app: ApiScope, deps: ToolDeps): void {
  app.post(
    "/custom-tools",
    {
      config: { action: "tools.write" },
      schema: { tags, summary: "Create a tool", body: CreateTool, response: answers({ 201: Tool }) },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const {
        category = null,
        metadata = null,
        limits = {},
        allowedHosts = null,
        requiresApproval,
        requiredApiKeys,
        ...rest
      } = request.body;
      const { tool, warnings } = await createTool(deps, principal, {
        ...rest,
        category,
        metadata,
        limits: compact(limits),
        allowedHosts,
        requiresApproval,
        requiredApiKeys: requiredApiKeys.map(compact),
      });
      void reply.status(201).header("location", `/api/v1/custom-tools/${tool.id}`);
      return ok(request, presentTool(tool, warnings));
    },
  );

  app.get(
    "/custom-tools",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "List tools, newest first",
        querystring: ToolQuery,
        response: answers({ 200: ToolList }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { tools, count } = await listTools(deps, principal, compact(request.query));
      return ok(request, { tools: tools.map((tool) => presentTool(tool)), count });
    },
  );

  app.get(
    "/custom-tools/:id",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "Read a tool by id or name",
        params: ToolParams,
        response: answers({ 200: Tool }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      return ok(request, presentTool(await getTool(deps, principal, request.params.id)));
    },
  );

  app.patch(
    "/custom-tools/:id",
    {
      config: { action: "tools.write" },
      schema: {
        tags,
        summary: "Change a tool",
        params: ToolParams,
        body: UpdateTool,
        response: answers({ 200: Tool }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { limits, parameters, metadata, requiredApiKeys, ...rest } = request.body;
      const change = compact({
        ...rest,
        limits: limits && compact(limits),
        parameters,
        metadata,
        requiredApiKeys: requiredApiKeys?.map(compact),
      });
      const { tool, warnings } = await updateTool(deps, principal, request.params.id, change);
      return ok(request, presentTool(tool, warnings));
    },
  );

  app.delete(
    "/custom-tools/:id",
    {
      config: { action: "tools.write" },
      schema: {
        tags,
        summary: "Delete a tool for good",
        params: ToolParams,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await deleteTool(deps, requireTenant(request.principal, "tools.write"), request.params.id);
      return ok(request, { deleted: true as const });
    },
  );

  const moves = [
    { move: "enable", action: "tools.write", summary: "Make a disabled tool active" },
    { move: "disable", action: "tools.write", summary: "Take an active tool out of service" },
    { move: "approve", action: "tools.approve", summary: "Make a pending tool active" },
    { move: "reject", action: "tools.approve", summary: "Refuse a pending tool; it stays for audit" },
  ] as const;
  for (const { move, action, summary } of moves) {
    app.post(
      `/custom-tools/:id/${move}`,
      { config: { action }, schema: { tags, summary, params: ToolParams, response: answers({ 200: Tool }) } },
      async (request) => {
        const principal = requireTenant(request.principal, action);
        return ok(request, presentTool(await moveTool(deps, principal, request.params.id, move)));
      },
    );
  }
}
