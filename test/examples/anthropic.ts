import type Anthropic from "@anthropic-ai/sdk";
import type { Bulkhead } from "@bulkhead/client";
import { runForModel, TURNS_MAX } from "./run-for-model.ts";

interface Asked {
  client: Bulkhead;
  anthropic: Anthropic;
  model: string;
  question: string;
}

/** A loop over Anthropic's messages: the tools are the tenant's, and Bulkhead runs their calls. */
export async function askAnthropic({ client, anthropic, model, question }: Asked): Promise<string> {
  const definitions = await client.tools.definitions({ format: "anthropic" });
  const tools = definitions.tools as unknown as Anthropic.Tool[];
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const { content } = await anthropic.messages.create({ model, max_tokens: 1_024, messages, tools });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const { id, name, input } of calls) {
      const { isError, text } = await runForModel(client, { id, name, args: input });
      results.push({ type: "tool_result", tool_use_id: id, content: text, is_error: isError });
    }
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
  throw new Error(`The model called tools ${TURNS_MAX} times and did not answer.`);
}
