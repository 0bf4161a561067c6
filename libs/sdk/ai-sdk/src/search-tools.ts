import type { CallContext, ToolsClient } from "./client.ts";
import { MARK, refusalOf, type FailedCall } from "./outputs.ts";

/** `search_tools` and `describe_tools`: an answer, or a refusal that a model can read and mend. */
export async function askForTools(
  client: ToolsClient,
  name: string,
  input: unknown,
  { context, signal }: { context: CallContext; signal: AbortSignal | undefined },
): Promise<unknown> {
  const { provider, group } = context;
  // Who asks is not the model's to say.
  const body = { ...givenOf(input), context };
  const options = { signal, provider, group };
  try {
    return name === "search_tools"
      ? await client.metaTools.searchTools(body as SearchBody, options)
      : await client.metaTools.describeTools(body as DescribeBody, options);
  } catch (error) {
    const refusal = signal?.aborted ? null : refusalOf(error);
    if (refusal === null) throw error;
    return refusal;
  }
}

type SearchBody = Parameters<ToolsClient["metaTools"]["searchTools"]>[0];
type DescribeBody = Parameters<ToolsClient["metaTools"]["describeTools"]>[0];

/** The call that `call_tool` is asked to make, or why it can't be one. */
export function passedOn(input: unknown): { name: string; args: unknown } | FailedCall {
  const { name, arguments: args = {} } = givenOf(input);
  if (typeof name === "string" && name !== "") return { name, args };
  const message = "name must be the name of a tool, as search_tools tells it.";
  return { [MARK]: "error", code: "tool.arguments_invalid", message };
}

/** Whether a person has to allow the call that `call_tool` is asked to make, by the tenant's rules. */
export async function asksFor(client: ToolsClient, input: unknown, context: CallContext): Promise<boolean> {
  const call = passedOn(input);
  if (MARK in call) return false;
  const { provider, group } = context;
  const { tools } = await client.metaTools.describeTools(
    { names: [call.name], context },
    { provider, group },
  );
  return tools.some(({ requiresConfirmation }) => requiresConfirmation);
}

/** Models write null for what they leave out. */
const givenOf = (input: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== null));
