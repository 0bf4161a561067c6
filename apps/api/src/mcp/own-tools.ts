import * as contracts from "@bulkhead/contracts";
import { Fault, type JsonObject } from "@bulkhead/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { answerOf } from "./present-call.ts";

// Who asks is the client's to say, in `_meta`: a model that could say it in its arguments would choose its own policy.
const FROM_META = { context: true } as const;
const SearchToolsCall = contracts.SearchToolsCall.omit(FROM_META);
const DescribeToolsCall = contracts.DescribeToolsCall.omit(FROM_META);
export const CallToolCall = contracts.CallToolCall.omit(FROM_META);
export const RunCodeCall = contracts.RunCodeCall.omit(FROM_META);

/** Of the best matches so many are described at once, so that a model that found a tool can call it. */
const DESCRIBED_MAX = 3;

/** The endpoint's own tools that are answered at once; null for any other. */
export async function callOwnTool(
  deps: Pick<McpDeps, "callSearchTools" | "callDescribeTools">,
  { principal }: Asker,
  name: string,
  args: JsonObject,
  context: contracts.SearchToolsCall["context"],
): Promise<CallToolResult | null> {
  if (name === "describe_tools") {
    const described = { ...ownArguments(name, DescribeToolsCall, args), context };
    return answerOf(await deps.callDescribeTools(principal, described));
  }
  if (name !== "search_tools") return null;
  const asked = { ...ownArguments(name, SearchToolsCall, args), context };
  const found = await deps.callSearchTools(principal, asked);
  const names = found.tools.slice(0, DESCRIBED_MAX).map((tool) => tool.name);
  if (names.length === 0) return answerOf(found);
  const { tools } = await deps.callDescribeTools(principal, { names, context });
  const declared = new Map(tools.map((tool) => [tool.name, tool.typescript]));
  return answerOf({
    ...found,
    tools: found.tools.map((tool) => {
      const typescript = declared.get(tool.name);
      return typescript === undefined ? tool : { ...tool, typescript };
    }),
  });
}

/** The arguments of a tool of the endpoint itself. Throws `tool.arguments_invalid`, as for any tool. */
export function ownArguments<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  said: JsonObject,
): z.output<Schema> {
  // Models write null for what they leave out.
  const args = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  const read = schema.safeParse(args);
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    path: ["arguments", ...path].join("."),
    message,
  }));
  throw new Fault("tool.arguments_invalid", { detail: `The arguments of ${name} are not valid.`, errors });
}
