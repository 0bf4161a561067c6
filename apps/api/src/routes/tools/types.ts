import { builtInPoliciesOf, toolTypesFile, typesFile, type ToolDefinitions } from "@bulkhead/agents";
import { idOrName, ToolDefinitionsQuery } from "@bulkhead/contracts";
import { toolGlobals } from "@bulkhead/contracts/tool-globals";
import { agentOf, declareArguments } from "@bulkhead/core";
import { sightOf } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { z } from "zod";
import { headersOf, headersOfAnswer } from "../../edge/answer-headers.ts";
import { hasTag, IfNoneMatch } from "../../edge/entity-tags.ts";
import { answers, noContent, ToolParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "./wire-tools.ts";

export type TypeRouteDeps = Pick<Tools, "getTool"> & { definitions: Pick<ToolDefinitions, "get"> };

const TYPESCRIPT = "application/typescript";
const config = { action: "tools.read" } as const;

/** Characters of the type of a tool's arguments, for its own code. */
const ARGUMENTS_CHARS_MAX = 64 * 1024;

/** The answer of a route that writes a declaration file. */
const declarations = (description: string) => ({
  ...answers({}),
  200: {
    description,
    headers: { ...headersOf(["ETag"]), ...headersOfAnswer("200", undefined) },
    content: { [TYPESCRIPT]: { schema: z.string().describe("A TypeScript declaration file.") } },
  },
  304: noContent("The caller has it as it is."),
});

/** TypeScript declarations: of what a tool's code sees, and of tools for those who call them. */
export function typeRoutes(app: ApiScope, { getTool, definitions }: TypeRouteDeps): void {
  app.get(
    "/reference/tool-globals.d.ts",
    {
      config,
      schema: {
        tags: ["custom-tools"],
        summary:
          "What a tool's code sees, as TypeScript: args, context, utils, api, fetch and the other globals",
        headers: IfNoneMatch,
        querystring: z.strictObject({
          tool: idOrName
            .optional()
            .describe("The id or name of a tool: `args` has the type of its parameters."),
        }),
        response: declarations('The globals, for a compiler with `lib: ["esnext"]` and no other library.'),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { tool: ref } = request.query;
      if (ref === undefined) return send(request, reply, toolGlobals());
      const { parameters } = await getTool(principal, ref);
      return send(request, reply, toolGlobals(declareArguments(parameters, ARGUMENTS_CHARS_MAX)));
    },
  );

  app.get(
    "/custom-tools/types.d.ts",
    {
      config: { ...config, isLarge: true },
      schema: {
        tags: ["custom-tools"],
        summary: "Arguments and results of all active tools as TypeScript, for those who call them",
        headers: IfNoneMatch,
        querystring: ToolDefinitionsQuery.pick({ agentId: true }),
        response: declarations(
          "The interface `BulkheadTools`, a member for each tool, newest first; with the globals of tools, `utils.callTool` knows them.",
        ),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.read");
      const seenBy = agentOf(principal, request.query.agentId);
      const written = await definitions.get(
        principal.tenantId,
        seenBy,
        "typescript",
        false,
        builtInPoliciesOf(principal, request.query),
        sightOf(principal, request.query),
      );
      return send(request, reply, typesFile(written));
    },
  );

  app.get(
    "/custom-tools/:id/types.d.ts",
    {
      config,
      schema: {
        tags: ["custom-tools"],
        summary: "Arguments and result of one tool as TypeScript, for those who call it",
        params: ToolParams,
        headers: IfNoneMatch,
        response: declarations("The interface `BulkheadTools` with this tool."),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.read");
      return send(request, reply, toolTypesFile(await getTool(principal, request.params.id)));
    },
  );
}

/** Without the envelope; the tag is that of the text. */
function send(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const bytes = Buffer.from(text);
  const tag = createHash("sha256").update(bytes).digest("base64url");
  void reply.header("etag", `"${tag}"`);
  if (hasTag(request.headers["if-none-match"], tag)) return reply.status(304).send();
  return reply.type(`${TYPESCRIPT}; charset=utf-8`).send(bytes);
}
