import type { DataToolName, JsonObject, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** A tool that is one operation with the same arguments, of the capability of its caller's run. */
const asked =
  (operation: string): Run =>
  async (args, { ask, signal }) => {
    const answer = await ask("data", operation, args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  };

const GOAL_ACTIONS: Readonly<Record<string, Run>> = {
  create: asked("create_goal"),
  list: asked("list_goals"),
  update: asked("update_goal"),
  complete: asked("complete_goal"),
  remove: asked("remove_goal"),
};

export const runDataTool: Readonly<Record<DataToolName, Run>> = {
  data_get: asked("get"),
  data_put: asked("put"),
  data_query: asked("query"),
  data_remove: asked("remove"),
  async goals({ action, ...args }, call) {
    const run = typeof action === "string" ? GOAL_ACTIONS[action] : undefined;
    if (run) return run(args, call);
    return { ok: false, code: "invalid_request", message: "goals has no such action" };
  },
};
