import type { JsonObject, ProvidedAnswer, ProvidedCall, ScheduleToolName } from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** What `cron` does; each is an operation of the capability. */
export const CRON_ACTIONS = ["create", "list", "update", "remove", "pause", "resume"] as const;

/** It asks the capability of its caller's run, whose permission, bounds and bill are thereby the caller's. */
export const runScheduleTool: Readonly<Record<ScheduleToolName, Run>> = {
  async cron({ action, ...args }, { ask, signal }) {
    const operation = CRON_ACTIONS.find((known) => known === action);
    if (operation === undefined)
      return { ok: false, code: "invalid_request", message: "cron has no such action" };
    const answer = await ask("schedule", operation, args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
