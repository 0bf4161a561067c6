import type { JsonObject, ProvidedAnswer, ProvidedCall, ScheduleToolName } from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** Its actions are the operations of the capability, which its caller's run asks. */
export const runScheduleTool: Readonly<Record<ScheduleToolName, Run>> = {
  async cron({ action, ...args }, { ask, signal }) {
    const answer = await ask("schedule", typeof action === "string" ? action : "", args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
