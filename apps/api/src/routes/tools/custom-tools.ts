import { compact } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import { asRequiredServices, CreateTool, DeletedTool, Tool, UpdateTool } from "@bulkhead/contracts";
import { checkLimits, type CreateToolRequest } from "@bulkhead/tools";
import type { z } from "zod";
import { ok } from "../../edge/envelope.ts";
import { hasTag, IfMatch, IfNoneMatch, readIfMatch, tagAnswer } from "../../edge/entity-tags.ts";
import { answers, noContent, ToolParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "./wire-tools.ts";

export type CustomToolRouteDeps = Pick<
  Tools,
  "createTool" | "getTool" | "updateTool" | "deleteTool" | "showTool"
>;

const tags = ["custom-tools"];

/** A new tool where its request is silent. */
const NOTHING_SAID = {
  alias: null,
  title: null,
  annotations: null,
  category: null,
  metadata: null,
  allowedHosts: null,
  outputSchema: null,
  requiresApproval: undefined,
  approval: null,
  retry: null,
  retention: null,
  applyDefaults: null,
};

/** The tool that a body describes. */
export const creationOf = ({
  limits = {},
  requiredApiKeys,
  requiredConfigServices,
  dispatch,
  code = "",
  ...rest
}: z.infer<typeof CreateTool>): CreateToolRequest => ({
  ...NOTHING_SAID,
  code,
  ...compact(rest),
  limits: compact(limits),
  requiredApiKeys: requiredApiKeys.map(compact),
  requiredConfigServices: asRequiredServices(requiredConfigServices),
  dispatch: dispatch ? compact(dispatch) : null,
});

/** The life of a tool: create, read, change, switch, delete. */
export function customToolRoutes(app: ApiScope, deps: CustomToolRouteDeps): void {
  app.post(
    "/custom-tools",
    {
      config: { action: "tools.write" },
      schema: { tags, summary: "Create a tool", body: CreateTool, response: answers({ 201: Tool }) },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { tool, warnings } = await deps.createTool(principal, creationOf(request.body));
      void reply.status(201).header("location", `/api/v1/custom-tools/${tool.id}`);
      const shown = await deps.showTool(tool, warnings);
      tagAnswer(reply, tool, shown);
      return ok(request, shown);
    },
  );

  app.get(
    "/custom-tools/:id",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "Read a tool by id or name; its ETag is another after every change of what is shown",
        params: ToolParams,
        headers: IfNoneMatch,
        response: {
          ...answers({ 200: Tool }),
          304: noContent("The caller has it as it is."),
        },
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.read");
      const tool = await deps.getTool(principal, request.params.id);
      const shown = await deps.showTool(tool);
      const tag = tagAnswer(reply, tool, shown);
      if (hasTag(request.headers["if-none-match"], tag)) return reply.status(304).send(undefined);
      return ok(request, shown);
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
        headers: IfMatch,
        body: UpdateTool,
        response: answers({ 200: Tool }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { limits, parameters, metadata, requiredApiKeys, requiredConfigServices, dispatch, ...rest } =
        request.body;
      const change = compact({
        ...rest,
        limits: limits === null ? checkLimits({}, principal) : limits && compact(limits),
        parameters,
        metadata,
        requiredApiKeys: requiredApiKeys?.map(compact),
        requiredConfigServices: requiredConfigServices && asRequiredServices(requiredConfigServices),
        dispatch: dispatch && compact(dispatch),
      });
      const seen = readIfMatch(request.headers["if-match"]);
      const { tool, warnings } = await deps.updateTool(principal, request.params.id, change, seen);
      const shown = await deps.showTool(tool, warnings);
      tagAnswer(reply, tool, shown);
      return ok(request, shown);
    },
  );

  app.delete(
    "/custom-tools/:id",
    {
      config: { action: "tools.write" },
      schema: {
        tags,
        summary: "Delete a tool for good; its schedules are paused",
        params: ToolParams,
        headers: IfMatch,
        response: answers({ 200: DeletedTool }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.write");
      const seen = readIfMatch(request.headers["if-match"]);
      const gone = await deps.deleteTool(principal, request.params.id, seen);
      const { schedulesPaused } = gone;
      return ok(request, { deleted: true as const, ...(schedulesPaused > 0 ? { schedulesPaused } : {}) });
    },
  );
}
