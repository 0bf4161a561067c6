import { META_TOOL_DEFINITIONS } from "@bulkhead/agents";
import type { JsonObject } from "@bulkhead/core";
import { z } from "zod";

export const VIEWS = ["all", "search", "code"] as const;
export type View = (typeof VIEWS)[number];

/** A tenant with more tools than this gets the view `search` where a client names none. */
const ALL_VIEW_TOOLS_MAX = 40;

type ObjectSchema = JsonObject & { type: "object" };

/** A tool as MCP lists it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: JsonObject;
  _meta?: JsonObject;
}

export const GetExecutionCall = z.strictObject({ executionId: z.string().min(1).max(200) });

const READS = { readOnlyHint: true, openWorldHint: false };

const GET_EXECUTION: ListedTool = {
  name: "get_execution",
  description:
    "Get the result of a call that was answered with an executionId, such as one that a person has to allow; waits up to 45 s for it.",
  inputSchema: {
    type: "object",
    properties: { executionId: { type: "string", description: "As the call's answer told it." } },
    required: ["executionId"],
    additionalProperties: false,
  },
  annotations: READS,
};

function metaTool(name: string, annotations?: JsonObject): ListedTool[] {
  return META_TOOL_DEFINITIONS.filter((definition) => definition.name === name).map(
    ({ description, parameters }) => ({
      name,
      description,
      inputSchema: parameters as ObjectSchema,
      ...(annotations ? { annotations } : {}),
    }),
  );
}

const SEARCH = [
  ...metaTool("search_tools", READS),
  ...metaTool("describe_tools", READS),
  ...metaTool("call_tool"),
  GET_EXECUTION,
];

/** The tools of the endpoint itself that a view lists; `all` has the tenant's beside them. */
export const OWN_TOOLS: Readonly<Record<View, readonly ListedTool[]>> = {
  all: [GET_EXECUTION],
  search: SEARCH,
  code: [...SEARCH, ...metaTool("run_code")],
};

/** The view that a client sees which names none. */
export const viewFor = (asked: View | undefined, toolCount: number): View =>
  asked ?? (toolCount > ALL_VIEW_TOOLS_MAX ? "search" : "all");
