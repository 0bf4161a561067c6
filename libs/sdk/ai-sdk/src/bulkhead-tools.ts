import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import type { CallContext, ToolsClient } from "./client.ts";
import { readDefinitions, type Definition, type View } from "./definitions.ts";
import { toModelOutput } from "./model-output.ts";
import { MARK } from "./outputs.ts";
import { runCall } from "./run-call.ts";
import { asksFor, askForTools, passedOn } from "./search-tools.ts";

export interface BulkheadToolsOptions {
  client: ToolsClient;
  /** The agent whose tools they are, its own before the tenant's; an agent's key always stands for its own. */
  agentId?: string | undefined;
  /** Only these tools, by the names that models see. Not together with the view `search`. */
  names?: readonly string[] | undefined;
  /** `all` tools, or three by which the model finds and calls the others. Default: `all` up to 40 tools, else `search`. */
  view?: View | undefined;
  /** Who asks, in which conversation: policy, tools and logs see it. One toolCallId is one call in its conversation. */
  context?: Omit<CallContext, "agentId"> | undefined;
  /** Milliseconds that a call may take, waiting included; as long as its tool may run, 60,000 at least, unless set. */
  timeoutMs?: number | undefined;
  /**
   * Whether the loop stops for an approval before a call that a person has to allow. Default: not with an agent's key, whose
   * calls Bulkhead itself holds until a person of the tenant has allowed them; with any other key yes, since its calls run at
   * once.
   */
  asksInLoop?: boolean | undefined;
}

interface Asker {
  client: ToolsClient;
  timeoutMs: number | undefined;
  context: CallContext;
}

/**
 * Bulkhead's tools for `generateText`, `streamText` and agents of the AI SDK, as they are now. Rejects where the key is not
 * served, or an option is none.
 */
export async function bulkheadTools(options: BulkheadToolsOptions): Promise<ToolSet> {
  const { client, agentId, names, view, timeoutMs } = options;
  if (view !== undefined && view !== "all" && view !== "search")
    throw new TypeError(`view must be "all" or "search", not ${String(view)}`);
  if (names !== undefined && view === "search")
    throw new TypeError('names can\'t be chosen in the view "search", which finds every tool');
  const context: CallContext = { ...options.context, ...(agentId !== undefined && { agentId }) };
  const [shown, asksInLoop] = await Promise.all([
    readDefinitions(client, { names, view, context }),
    options.asksInLoop ?? runsAtOnce(client),
  ]);
  const asker: Asker = { client, context, timeoutMs };
  const toolOf = shown.view === "search" ? searchTool : plainTool;
  return Object.fromEntries(
    shown.definitions.map((definition) => [definition.name, toolOf(asker, definition, asksInLoop)]),
  );
}

/** Whether nobody but the loop asks a person about the calls of a client's key. */
const runsAtOnce = async (client: ToolsClient): Promise<boolean> => (await client.me()).key.role !== "agent";

type AiTool = ToolSet[string];

function plainTool({ client, ...asker }: Asker, definition: Definition, asksInLoop: boolean): AiTool {
  return dynamicTool({
    ...wordsOf(definition),
    needsApproval: asksInLoop && definition.asks,
    execute: (args, { toolCallId, abortSignal: signal }) =>
      runCall(client, { ...asker, name: definition.name, args, toolCallId, signal }),
  });
}

/** One of the tools that find the others, or the one that calls them. */
function searchTool({ client, ...asker }: Asker, definition: Definition, asksInLoop: boolean): AiTool {
  const { name } = definition;
  const { context } = asker;
  if (name !== "call_tool")
    return dynamicTool({
      ...wordsOf(definition),
      execute: (input, { abortSignal: signal }) => askForTools(client, name, input, { context, signal }),
    });
  return dynamicTool({
    ...wordsOf(definition),
    needsApproval: asksInLoop && ((input) => asksFor(client, input, context)),
    execute: async function* (input, { toolCallId, abortSignal: signal }) {
      const call = passedOn(input);
      if (MARK in call) yield call;
      else yield* runCall(client, { ...asker, ...call, toolCallId, signal });
    },
  });
}

const wordsOf = ({ title, description, inputSchema }: Definition) => ({
  ...(title !== undefined && { title }),
  description,
  inputSchema: jsonSchema(inputSchema),
  toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output),
});
