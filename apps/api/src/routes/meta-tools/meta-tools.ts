import { requireTenant, type Action } from "@bulkhead/tenants";
import {
  AskerHeaders,
  ChangedTool,
  DefinitionList,
  MetaToolDefinitionsQuery,
  DescribedTools,
  DescribeToolsCall,
  ListCustomToolsCall,
  ListedTools,
  SearchedTools,
  SearchToolsCall,
  ToggleCustomToolCall,
  UpdateToolCall,
} from "@bulkhead/contracts";
import type { TenantPrincipal } from "@bulkhead/core";
import { definitionWriter, META_TOOL_DEFINITIONS } from "@bulkhead/agents";
import { sightOf } from "@bulkhead/policy";
import type { z } from "zod";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { readNullsAsAbsent } from "./meta-tool-body.ts";
import type { MetaTools } from "./wire-meta-tools.ts";

export type MetaToolRouteDeps = Pick<
  MetaTools,
  "callListTools" | "callToggleTool" | "callUpdateTool" | "callSearchTools" | "callDescribeTools"
>;

const tags = ["meta-tools"];

interface MetaTool<Call extends z.ZodType, Answer extends z.ZodType> {
  name: string;
  action: Action;
  call: Call;
  answer: Answer;
  run: (principal: TenantPrincipal, call: z.output<Call>) => Promise<unknown>;
}

const metaTool = <C extends z.ZodType, A extends z.ZodType>(tool: MetaTool<C, A>) => tool;

/** The meta-tools that answer at once with what is stored; the body is the arguments. */
const metaTools = (deps: MetaToolRouteDeps) => [
  metaTool({
    name: "list_custom_tools",
    action: "tools.read",
    call: ListCustomToolsCall,
    answer: ListedTools,
    run: deps.callListTools,
  }),
  metaTool({
    name: "toggle_custom_tool",
    action: "metaTools.change",
    call: ToggleCustomToolCall,
    answer: ChangedTool,
    run: deps.callToggleTool,
  }),
  metaTool({
    name: "update_tool",
    action: "metaTools.change",
    call: UpdateToolCall,
    answer: ChangedTool,
    run: deps.callUpdateTool,
  }),
  metaTool({
    name: "search_tools",
    action: "tools.read",
    call: SearchToolsCall,
    answer: SearchedTools,
    run: deps.callSearchTools,
  }),
  metaTool({
    name: "describe_tools",
    action: "tools.read",
    call: DescribeToolsCall,
    answer: DescribedTools,
    run: deps.callDescribeTools,
  }),
];

/** The reference describes a meta-tool as models are told it. */
export const summaryOf = (name: string): string =>
  META_TOOL_DEFINITIONS.find((definition) => definition.name === name)?.description ?? name;

/** The platform's tools for models. */
export function metaToolRoutes(app: ApiScope, deps: MetaToolRouteDeps): void {
  app.get(
    "/meta-tools/definitions",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "The meta-tools as definitions for a model",
        querystring: MetaToolDefinitionsQuery,
        headers: AskerHeaders,
        response: answers({ 200: DefinitionList }),
      },
    },
    async (request) => {
      const { format = "own", strict, ...said } = request.query;
      const sight = sightOf(requireTenant(request.principal, "tools.read"), said);
      const seen = META_TOOL_DEFINITIONS.filter((tool) => sight?.sees(tool) ?? true);
      const tools = seen.map(definitionWriter(format, strict === "true"));
      return ok(request, { tools, count: tools.length });
    },
  );

  for (const tool of metaTools(deps)) register(app, tool);
}

function register(app: ApiScope, { name, action, call, answer, run }: MetaTool<z.ZodType, z.ZodType>): void {
  app.post(
    `/meta-tools/${name}`,
    {
      config: { action },
      preValidation: readNullsAsAbsent(name),
      schema: {
        tags,
        summary: summaryOf(name),
        headers: AskerHeaders,
        body: call,
        response: answers({ 200: answer }),
      },
    },
    async (request) =>
      ok(request, (await run(requireTenant(request.principal, action), request.body)) as object),
  );
}
