import type { Execution } from "@bulkhead/client";

type ExecutionError = NonNullable<Execution["error"]>;
export type Code = ExecutionError["code"];

/** What each code of an outcome says, and what helps. */
export const ERROR_WORDS: Readonly<Record<Code, { title: string; next: string }>> = {
  "tool.threw": {
    title: "The tool's code threw an error",
    next: "Read its message and its log, mend the code or the arguments, and replay: the tool runs as it is then.",
  },
  "tool.cpu_limit": {
    title: "It used all its processor time",
    next: "Make the code do less, or raise the tool's limit of processor time.",
  },
  "tool.wall_limit": {
    title: "It ran for too long",
    next: "Look at what it waited for, or raise the tool's limit of running time.",
  },
  "tool.memory_limit": {
    title: "It used all its memory",
    next: "Work on less data at a time, or raise the tool's limit of memory.",
  },
  "tool.network_limit": {
    title: "It went over its limits of network use",
    next: "Make fewer or smaller requests, or raise the tool's network limits.",
  },
  "tool.output_invalid": {
    title: "Its result does not match its output schema",
    next: "Correct what the code gives, or the schema.",
  },
  "tool.result_too_large": {
    title: "Its result is too large",
    next: "Give less: a page of it, or the place where it can be fetched.",
  },
  "tool.egress_denied": {
    title: "It asked for a host that it may not reach",
    next: "Allow the host where you trust it, or take the request out of the code.",
  },
  "tool.not_active": {
    title: "The tool was not active when its turn came",
    next: "Enable or approve the tool, then replay.",
  },
  "tool.code_invalid": {
    title: "The tool's code can't be run",
    next: "Open the tool and mend what its code is refused for.",
  },
  "sandbox.crashed": {
    title: "The sandbox of the run crashed",
    next: "Replay it. If it happens again, the code does something that brings the sandbox down.",
  },
  "mcp.unreachable": {
    title: "The MCP server could not be reached",
    next: "Look at the server's state, then replay.",
  },
  "mcp.connection_lost": {
    title: "The connection to the MCP server broke",
    next: "It may have done its work: look there before you replay.",
  },
  "mcp.tool_changed": {
    title: "The MCP server has changed this tool",
    next: "Look at what changed, and approve the tool again.",
  },
  "mcp.protocol_error": {
    title: "The MCP server's answer was none",
    next: "Tell whoever runs the server; its answer breaks the protocol.",
  },
  "execution.cancelled": { title: "Somebody cancelled it", next: "Replay it if it is still wanted." },
  "execution.lost": {
    title: "What ran it went away in the middle",
    next: "It may have done a part of its work: look before you replay.",
  },
  "execution.deadline": {
    title: "Its time was over before it ended",
    next: "See below what the time went to: waiting, or running. A longer time-out can be given with the call.",
  },
  "approval.denied": { title: "A person said no", next: "The reason, if one was given, stands below." },
  "approval.expired": {
    title: "Nobody answered in time",
    next: "Replay it when somebody is there to allow it.",
  },
  "approval.too_many": {
    title: "Too many calls wait for a person",
    next: "Answer those that wait first, then replay.",
  },
  "vault.unreadable": {
    title: "A secret could not be read",
    next: "Set the secret that the tool needs again, then replay.",
  },
  "vault.too_large": {
    title: "The secrets of this call are too large",
    next: "Give the tool fewer or smaller secrets.",
  },
};

/** No code of the tenant's threw where a built-in tool was refused what it asked for. */
const OF_REFUSALS = {
  title: "The call was refused",
  next: "Its message says why: change the arguments, or what the tenant has set up and allows, and replay.",
};

/** What is shown of an error: of a built-in tool's refused call why it was refused, in the code that tools are given too. */
export const shownError = ({ code, refusal }: Pick<ExecutionError, "code" | "refusal">) =>
  refusal === undefined ? { code, ...ERROR_WORDS[code] } : { code: refusal, ...OF_REFUSALS };

export const CODES = Object.keys(ERROR_WORDS) as Code[];

/** Where in the tool's code an error was thrown, if its message tells. */
export function placeIn(message: string): { line: number; column: number } | null {
  const [, line, column] = /tool\.js:(\d{1,7}):(\d{1,7})/.exec(message) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
}
