import type { JsonObject, ProvidedAnswer, ProvidedCall, ShellToolName } from "@bulkhead/core";

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** Each tool asks the capability of its caller's run, whose permission, bounds and bill are thereby the caller's. */
export const runShellTool: Readonly<Record<ShellToolName, Run>> = {
  async exec(args, { ask, signal }) {
    const answer = await ask("shell", "exec", args, null, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
  async process({ action, stdin, ...args }, { ask, signal }) {
    const operation = typeof action === "string" ? action : "";
    // Whatever else takes none is told so.
    const said = stdin === undefined || operation === "start" ? args : { ...args, stdin };
    const content = operation === "start" && typeof stdin === "string" ? stdin : null;
    const answer = await ask("shell", operation, said, content, signal);
    return answer.ok ? { ok: true, value: answer.value } : answer;
  },
};
