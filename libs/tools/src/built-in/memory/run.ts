import type {
  CapabilityAnswer,
  JsonObject,
  MemoryToolName,
  ProvidedAnswer,
  ProvidedCall,
} from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

const asked =
  (operation: string): Run =>
  async (args, { ask, signal }) =>
    valued(await ask("memory", operation, args, null, signal));

/** The text of lines is content, and stands beside what is told of it. */
const valued = (answer: CapabilityAnswer): ProvidedAnswer => {
  if (!answer.ok) return answer;
  const { value, content } = answer;
  return { ok: true, value: typeof content === "string" ? { ...value, text: content } : value };
};

/** Each tool asks the capability of its caller's run, whose permission, bounds and bill are thereby the caller's. */
export const runMemoryTool: Readonly<Record<MemoryToolName, Run>> = {
  memory_search: asked("search"),
  memory_get: asked("get"),
};
