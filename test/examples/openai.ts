import type { Bulkhead } from "@bulkhead/client";
import type OpenAI from "openai";
import { runForModel, TURNS_MAX } from "./run-for-model.ts";

interface Asked {
  client: Bulkhead;
  openai: OpenAI;
  model: string;
  question: string;
}

/** A loop over OpenAI's chat completions: the tools are the tenant's, and Bulkhead runs their calls. */
export async function askOpenAi({ client, openai, model, question }: Asked): Promise<string> {
  const definitions = await client.tools.definitions({ format: "openai" });
  const tools = definitions.tools as unknown as OpenAI.ChatCompletionTool[];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const { choices } = await openai.chat.completions.create({ model, messages, tools });
    const message = choices[0]?.message;
    if (!message?.tool_calls?.length) return message?.content ?? "";
    messages.push(message);
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      const { name, arguments: args } = call.function;
      const { text } = await runForModel(client, { id: call.id, name, args });
      messages.push({ role: "tool", tool_call_id: call.id, content: text });
    }
  }
  throw new Error(`The model called tools ${TURNS_MAX} times and did not answer.`);
}
