import type { JsonObject, NodeToolName, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** What `nodes` does; each is an operation of the capability. */
export const NODE_ACTIONS = ["list", "describe", "invoke"] as const;

/** It asks the capability of its caller's run, whose permission, bounds and bill are thereby the caller's. */
export const runNodeTool: Readonly<Record<NodeToolName, Run>> = {
  async nodes({ action, ...args }, { ask, signal }) {
    const operation = NODE_ACTIONS.find((known) => known === action);
    if (operation === undefined)
      return { ok: false, code: "invalid_request", message: "nodes has no such action" };
    const answer = await ask("nodes", operation, args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
