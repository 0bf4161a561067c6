import type { JsonObject, OutsideToolName, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** Each asks the capability of its caller's run, whose permission, services, bounds and bill are thereby the caller's. */
export const runOutsideTool: Readonly<Record<OutsideToolName, Run>> = {
  async database_query(args, { ask, signal }) {
    const answer = await ask("db", "show", args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
  async message(args, { ask, signal }) {
    const answer = await ask("email", "message", args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
