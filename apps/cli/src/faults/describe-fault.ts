import { BulkheadError, type Execution } from "@bulkhead/client";
import { CliFault, EXIT, type ExitCode } from "./cli-fault.ts";

/** What to do next, by the code of what was met. Codes that are not here have it by their noun or status. */
const NEXT: Readonly<Record<string, string>> = {
  "client.unreachable":
    "Is the server running, and is the address right? See it by: bulkhead whoami --url <url>",
  "client.timed_out": "Try again; the server may be busy.",
  "client.answer_invalid": "Something else answers at this address, such as a proxy. Check --url.",
  "auth.required": "Log in: bulkhead login",
  "auth.invalid_key": "Log in with a key that is valid: bulkhead login",
  "auth.forbidden": "Use a key with another role: --profile <name>. See yours: bulkhead whoami",
  "tenant.required": "This is a key of the platform's administrator; log in with one of a tenant.",
  "tool.precondition_failed": "Somebody else changed it meanwhile; look again.",
  "tool.not_active": "See why: bulkhead tools show <tool>. Enable it: bulkhead tools enable <tool>",
  "tool.blocked": "An owner may change that in the approval settings of the tenant.",
  "tool.approval_required": "See what waits: bulkhead approvals list",
  "file.precondition_failed":
    "Somebody else was sooner; look at it again: bulkhead files get <path> -o <file>",
  "file.is_folder": "Take a folder whole by -r, or name a file in it: bulkhead files list <folder>",
  "file.quota_exceeded": "Make room: bulkhead files rm <path>. The limits are the administrator's to raise.",
  "file.not_allowed": "The path is kept from agents; an owner may change that in the settings.",
  "device.code_invalid": "Ask an owner for a new code: bulkhead devices code",
  "device.too_many": "Remove one that is not used: bulkhead devices remove <device>",
  "device.too_many_codes": "Use those that are open, or wait until they are too old, ten minutes at most.",
  "approval.already_answered": "See how it was answered: bulkhead approvals show <id>",
  "approval.denied": "A person denied the call; the reason is with it: bulkhead executions show <id>",
  "approval.expired": "Nobody answered in time. Call again, and answer by: bulkhead approvals list",
  "execution.already_ended": "See how it ended: bulkhead executions show <id>",
  "execution.deadline": "Give it more time: --timeout 5m",
  "tool.arguments_invalid": "See what it takes: bulkhead tools show <tool>",
  "execution.arguments_inexact": "Send the number as a text, in quotes.",
  "tenant.backlog_full": "Wait until some have ended: bulkhead executions list --status queued",
};

const LISTS: Readonly<Record<string, string>> = {
  tool: "bulkhead tools list",
  execution: "bulkhead executions list",
  approval: "bulkhead approvals list",
  schedule: "bulkhead schedules list",
  file: "bulkhead files list",
  template: "bulkhead new --list",
  device: "bulkhead devices list",
  api_key: "bulkhead keys list",
  config_service: "bulkhead secrets list",
  config_entry: "bulkhead secrets list",
};

const HTTP_NOT_FOUND = 404;
const HTTP_TOO_MANY = 429;
const HTTP_SERVER_FAULT = 500;
/** Statuses of what was typed wrongly. Whatever else the server refuses, it understood. */
const HTTP_MISUSE = new Set([400, 413, 415, 416]);
const SECOND_MS = 1_000;

function exitOf({ status, code }: BulkheadError): ExitCode {
  if (status === 0 || code.startsWith("client.") || status >= HTTP_SERVER_FAULT) return EXIT.unreachable;
  return HTTP_MISUSE.has(status) && code !== "tool.not_active" ? EXIT.usage : EXIT.refused;
}

function nextOf({ code, status, retryAfterMs }: BulkheadError): string | undefined {
  const said = NEXT[code];
  if (said !== undefined) return said;
  const list = LISTS[code.split(".")[0] ?? ""];
  if (status === HTTP_NOT_FOUND && list !== undefined) return `See which there are: ${list}`;
  if (status === HTTP_TOO_MANY)
    return `Try again in ${Math.max(1, Math.ceil((retryAfterMs ?? SECOND_MS) / SECOND_MS))} s.`;
  if (status >= HTTP_SERVER_FAULT) return "Try again; if it stays so, tell the operator the request's id.";
  return undefined;
}

/** Where the parts that are wrong are listed, the title says the rest; a detail that says the title again stands alone. */
function messageOf({ message, errors, problem }: BulkheadError): string {
  if (problem === undefined) return message;
  const { title, detail } = problem;
  if (errors.length > 0) return title;
  return detail?.startsWith(title.replace(/\.$/, "")) ? detail : message;
}

/** A failure of the client's, or a mistake of our own, as the command line tells it. */
export function describeFault(error: unknown): CliFault {
  if (error instanceof CliFault) return error;
  if (error instanceof BulkheadError) {
    const { code, errors, requestId } = error;
    const parts = { exit: exitOf(error), next: nextOf(error), code, errors, requestId, cause: error };
    return new CliFault(messageOf(error), parts);
  }
  const said = error instanceof Error ? error : new Error(String(error));
  return new CliFault(`${said.name}: ${said.message}`, {
    // Neither what was typed nor the tool is at fault.
    exit: EXIT.unreachable,
    code: "cli.failed",
    next:
      (said as NodeJS.ErrnoException).code === undefined
        ? `This is a fault of bulkhead's own. ${said.stack}`
        : undefined,
    cause: error,
  });
}

/** How an execution ended badly; a person's no is a refusal, all else the tool's failure. */
export function describeEnd({ id, status, error }: Pick<Execution, "id" | "status" | "error">): CliFault {
  const code = error?.code ?? `execution.${status}`;
  const exit = status === "denied" ? EXIT.refused : EXIT.toolFailed;
  const next = (NEXT[code] ?? "See more: bulkhead executions show <id>").replace("<id>", id);
  return new CliFault(`${error?.refusal ?? code}: ${error?.message ?? `The execution ended: ${status}.`}`, {
    exit,
    code,
    next,
  });
}
