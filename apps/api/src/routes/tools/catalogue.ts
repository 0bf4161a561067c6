import { requireTenant } from "@bulkhead/tenants";
import {
  AskerHeaders,
  DefinitionList,
  PendingToolQuery,
  StatsQuery,
  ToolDefinitionsQuery,
  ToolList,
  ToolQuery,
  ToolStats,
} from "@bulkhead/contracts";
import { agentOf, scopeOf, type ToolCatalogue } from "@bulkhead/core";
import { sightOf } from "@bulkhead/policy";
import { seenScope } from "@bulkhead/tools";
import { builtInPoliciesOf, type ToolDefinitions, type WrittenDefinitions } from "@bulkhead/agents";
import type { FastifyReply, FastifyRequest } from "fastify";
import { metaOf, ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "./wire-tools.ts";

export type CatalogueRouteDeps = Pick<Tools, "listTools"> & {
  catalogue: ToolCatalogue;
  definitions: Pick<ToolDefinitions, "get">;
};

const tags = ["custom-tools"];
const config = { action: "tools.read" } as const;

/** Lists and counts a tenant's tools, and writes them as definitions for models. */
export function catalogueRoutes(
  app: ApiScope,
  { catalogue, definitions, listTools }: CatalogueRouteDeps,
): void {
  app.get(
    "/custom-tools",
    {
      config: { ...config, isLarge: true },
      schema: {
        tags,
        summary: "List tools, newest first, or search them",
        querystring: ToolQuery,
        headers: AskerHeaders,
        response: answers({ 200: ToolList }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      return ok(request, await listTools(principal, request.query));
    },
  );

  app.get(
    "/custom-tools/pending",
    {
      config,
      schema: {
        tags,
        summary: "List the tools that wait for approval, or have a newer version that does",
        querystring: PendingToolQuery,
        headers: AskerHeaders,
        response: answers({ 200: ToolList }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const query = { ...request.query, sort: "createdAt", waiting: true } as const;
      return ok(request, await listTools(principal, query));
    },
  );

  app.get(
    "/custom-tools/stats",
    {
      config,
      schema: {
        tags,
        summary: "Count tools by status, maker and category",
        querystring: StatsQuery,
        headers: AskerHeaders,
        response: answers({ 200: ToolStats }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { agentId, include = [] } = request.query;
      const scope = await seenScope({ catalogue }, principal, scopeOf(principal));
      const counted = await catalogue.stats(principal.tenantId, scope, agentId);
      const { createdByLlm, categories, rejected, ...stats } = counted;
      return ok(request, {
        ...stats,
        createdByLLM: createdByLlm,
        ...(include.includes("categories") && { categories }),
        ...(include.includes("rejected") && { rejected }),
      });
    },
  );

  app.get(
    "/custom-tools/active/definitions",
    {
      config: { ...config, isLarge: true },
      schema: {
        tags,
        summary: "The active tools as definitions for a model, newest first",
        querystring: ToolDefinitionsQuery,
        headers: AskerHeaders,
        response: answers({ 200: DefinitionList }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { format = "own", strict, ...said } = request.query;
      const { tenantId } = principal;
      const seenBy = agentOf(principal, said.agentId);
      const [policies, sight] = [builtInPoliciesOf(principal, said), sightOf(principal, said)];
      const written = await definitions.get(tenantId, seenBy, format, strict === "true", policies, sight);
      return sendDefinitions(request, reply, written);
    },
  );
}

/** The usual envelope around JSON that is written already: thousands of definitions are not parsed to be sent. */
function sendDefinitions(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, count, omitted }: WrittenDefinitions,
): FastifyReply {
  const left = omitted > 0 ? `,"omitted":${omitted}` : "";
  const meta = JSON.stringify(metaOf(request));
  const head = Buffer.from('{"success":true,"data":{"tools":');
  const tail = Buffer.from(`,"count":${count}${left}},"meta":${meta}}`);
  return reply.type("application/json; charset=utf-8").send(Buffer.concat([head, json, tail]));
}
