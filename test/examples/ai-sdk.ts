import { bulkheadTools, toolApprovalOf } from "@bulkhead/ai-sdk";
import type { Bulkhead } from "@bulkhead/client";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  type ToolApprovalResponse,
} from "ai";

interface Chat {
  client: Bulkhead;
  model: LanguageModel;
  /** So far; what is said from here on comes behind it. */
  messages: ModelMessage[];
  /** Asks whoever sits at the chat. */
  allow: (tool: string, input: unknown) => Promise<boolean>;
}

/** A loop of the AI SDK's: a model that calls Bulkhead's tools, and a person who is asked where the tenant's rules say so. */
export async function ask({ client, model, messages, allow }: Chat): Promise<string> {
  const tools = await bulkheadTools({ client, agentId: "writer" });
  const toolApproval = toolApprovalOf(tools);
  for (;;) {
    const stopWhen = isStepCount(10);
    const { content, responseMessages, text } = await generateText({
      model,
      tools,
      toolApproval,
      messages,
      stopWhen,
    });
    messages.push(...responseMessages);
    const answers: ToolApprovalResponse[] = [];
    for (const part of content) {
      if (part.type !== "tool-approval-request") continue;
      const approved = await allow(part.toolCall.toolName, part.toolCall.input);
      answers.push({ type: "tool-approval-response", approvalId: part.approvalId, approved });
    }
    if (answers.length === 0) return text;
    messages.push({ role: "tool", content: answers });
  }
}
