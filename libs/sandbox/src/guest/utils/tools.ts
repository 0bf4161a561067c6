import { askWorker } from "../bridge.ts";
import { nextRequestId, requestEffect, type EffectAnswer } from "../effects.ts";
import { refusedError } from "../errors.ts";
import { TEXT_CHARS_MAX } from "../bounds.ts";
import { leave, tellLosses, writeLeft } from "../json-leaving.ts";
import { parseJson, promiseThen, rejected } from "../primordials.ts";
import { takeText, wrongKind } from "./arguments.ts";

/** A tool that may be called, as its caller sees it. */
interface ListedTool {
  name: string;
  description: string;
  parameters: object;
}

/**
 * Calls another tool of the tenant, or a built-in one, and resolves with its result. Rejects with an error whose `code`
 * has the reason: `tool_failed` if the tool itself failed, with its name and its own code in the message; with a TypeError
 * for an invalid name.
 */
export function callTool(toolName: unknown, args: unknown = {}): Promise<unknown> {
  try {
    const name = takeText("callTool", "name", toolName);
    if (name === "") throw wrongKind("callTool", "name must not be empty");
    const left = leave(args, "passed", TEXT_CHARS_MAX);
    const json: unknown = writeLeft(left);
    // A value that JSON can't express, such as a function, is no object: the worker reports that.
    const body = typeof json === "string" ? json : "null";
    if (body === json) tellLosses(left, body, "passed");
    const answered = requestEffect({ kind: "call_tool", name }, body, undefined, "call");
    return promiseThen(answered, toResult as () => unknown, undefined as never);
  } catch (error) {
    return rejected(error);
  }
}

const toResult = ({ body }: EffectAnswer): unknown => parseJson(body);

type Listing = { ok: true; body: string } | { ok: false; code: string; message: string };

let listed: string | null = null;

/** The tools that can be called from here: the tenant's active ones, newest first, then the built-in ones. Asked for once in a run. */
export function listTools(): ListedTool[] {
  listed ??= askForList();
  return parseJson(listed) as ListedTool[];
}

function askForList(): string {
  const answer = parseJson(askWorker(nextRequestId(), '{"kind":"list_tools"}')) as Listing | null;
  if (answer === null) throw refusedError("aborted", "The run has ended.");
  if (!answer.ok) throw refusedError(answer.code, answer.message);
  return answer.body;
}
