import type { CallContext, ToolsClient } from "./client.ts";

/** A tool as models are told of it. */
export interface Definition {
  name: string;
  title?: string;
  description: string;
  /** A JSON Schema of type `object`. */
  inputSchema: Record<string, unknown>;
  /** Whether a person has to allow its calls, or may have to. */
  asks: boolean;
}

/** A set with more tools than this is found by search unless its maker says otherwise; MCP does the same. */
const ALL_TOOLS_MAX = 40;

/** Tools by which a model finds the others. */
const SEARCH_NAMES: readonly string[] = ["search_tools", "describe_tools", "call_tool"];

export type View = "all" | "search";

export interface Wanted {
  names: readonly string[] | undefined;
  view: View | undefined;
  context: CallContext;
}

/**
 * The tools of a set, as the tenant's policy shows them to who asks, and how they are shown. Throws where some of `names` are
 * none of them, or where they are too many to be told all.
 */
export async function readDefinitions(
  client: ToolsClient,
  { names, view, context }: Wanted,
): Promise<{ view: View; definitions: Definition[] }> {
  if (view === "search") return { view, definitions: await searchDefinitions(client, context) };
  const { agentId, userId, subagentDepth, provider, group } = context;
  const { tools, omitted = 0 } = await client.tools.definitions(
    { format: "mcp", agentId, userId, subagentDepth },
    { provider, group },
  );
  if (names === undefined && view === undefined && tools.length + omitted > ALL_TOOLS_MAX)
    return { view: "search", definitions: await searchDefinitions(client, context) };
  const all = tools.map(definitionOf);
  if (names !== undefined) return { view: "all", definitions: named(all, names) };
  if (omitted > 0)
    throw new RangeError(
      `${omitted} tools don't fit into one answer: name those that are wanted (names), or set view to "search"`,
    );
  return { view: "all", definitions: all };
}

async function searchDefinitions(client: ToolsClient, context: CallContext): Promise<Definition[]> {
  const { agentId, subagentDepth, provider, group } = context;
  const { tools } = await client.metaTools.definitions(
    { format: "mcp", agentId, subagentDepth },
    { provider, group },
  );
  return tools.map(definitionOf).filter(({ name }) => SEARCH_NAMES.includes(name));
}

function named(all: readonly Definition[], names: readonly string[]): Definition[] {
  const known = new Map(all.map((definition) => [definition.name, definition]));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length > 0) throw new RangeError(`There is no active tool of the name ${missing.join(", ")}`);
  return all.filter(({ name }) => names.includes(name));
}

interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

function definitionOf(tool: Record<string, unknown>): Definition {
  const { name, title, description, inputSchema, _meta = {} } = tool as unknown as McpTool;
  const asks = _meta["bulkhead/requiresConfirmation"] === true;
  return { name, description, inputSchema, asks, ...(title !== undefined && { title }) };
}
