import { describeError, describeThrown } from "./errors.ts";
import {
  apply,
  getOwnPropertyDescriptor,
  isArray,
  objectToString,
  ownKeys,
  push,
  promiseThen,
} from "./primordials.ts";
import { post } from "./bridge.ts";
import { leave, tellLosses, writeLeft } from "./json-leaving.ts";
import { isRefusedMemory } from "./out-of-memory.ts";
import { retryAfterMsOf } from "./retry-after.ts";

declare const require: (path: string) => unknown;

/** Set from the run's limits before the tool is called. */
export const settling = { resultBytes: 0, settled: false };

/** Calls the tool and tells the host, once, how it ended. */
export function callTool(tool: () => Promise<unknown>): void {
  // Handles errors of the handlers too: whatever fails about a value, its run ends.
  void promiseThen(promiseThen(apply(tool, undefined, []), onValue, onError), undefined, onError);
}

/** `pauseMs`: how long an error asks to be let alone; 0 where it does not. */
function settle(outcome: string, text: string, code: string, pauseMs = 0): void {
  if (settling.settled) return;
  settling.settled = true;
  post(outcome, pauseMs, text, code);
}

function onError(error: unknown): unknown {
  let described = { text: "Error: the tool threw something that can't be read", code: "" };
  let outcome = "threw";
  try {
    if (isRefusedMemory(error)) outcome = "memory";
    described = describeThrown(error);
  } catch {
    // A getter of the tool's own error threw; the first error stays hidden.
  }
  let pauseMs = 0;
  try {
    pauseMs = retryAfterMsOf(error);
  } catch {
    // A getter of the tool's own error threw: it asks for no pause.
  }
  const { text, code } = described;
  const body = bodyOf(error);
  if (body === null) return settle(outcome, text, code, pauseMs);
  return promiseThen(
    body,
    (beginning: string) => settle(outcome, text + beginning, code, pauseMs),
    () => settle(outcome, text, code, pauseMs),
  );
}

/**
 * The beginning of the body of a thrown Response, which many snippets throw and which says why; null for anything else.
 */
function bodyOf(error: unknown): Promise<string> | null {
  try {
    if (typeof error !== "object" || error === null || objectToString(error) !== "[object Response]")
      return null;
    const { bodyBeginning, isResponse } =
      require("./thrown-response.ts") as typeof import("./thrown-response.ts");
    return isResponse(error) ? bodyBeginning(error) : null;
  } catch {
    // A proxy of the tool's own threw: the error is shown without a body.
    return null;
  }
}

const tooLarge = (): void =>
  settle(
    "result_too_large",
    `The result is larger than ${settling.resultBytes} bytes as JSON (limits.resultBytes).`,
    "",
  );

function onValue(value: unknown): unknown {
  if (typeof value === "function" || typeof value === "symbol") {
    return settle("output_invalid", `The result can't be JSON: it is a ${typeof value}.`, "");
  }
  // Every UTF-16 unit is a byte or more: a rope is measured here, before JSON.stringify would flatten it.
  if (typeof value === "string" && value.length > settling.resultBytes) return tooLarge();
  const left = leave(value, "returned", settling.resultBytes);
  if (left.fault !== null) return settle("output_invalid", left.fault, "");
  if (left.responses.length === 0) return writeResult(left);
  // A body that can't be read is the tool's failure, as if it had read it itself.
  const { readResponses } = require("./json-form.ts") as typeof import("./json-form.ts");
  const lost = (path: string, what: string): void => void push(left.losses, { path, what });
  return promiseThen(readResponses(left.responses, lost), () => writeResult(left), onError);
}

function writeResult(left: ReturnType<typeof leave>): void {
  let json: string | undefined;
  try {
    if (holdsLongText(left.value)) return tooLarge();
    json = writeLeft(left);
  } catch (error) {
    if (error instanceof RangeError && error.message === "Invalid string length") return tooLarge();
    settle("output_invalid", `The result can't be JSON: ${reasonOf(error)}`, "");
    return;
  }
  const text = json ?? "null";
  if (text.length > settling.resultBytes) return tooLarge();
  tellLosses(left, text, "returned");
  settle("returned", text, "");
}

/**
 * Whether one of the value's own strings alone is over the limit, one level deep. Deeper ropes are flattened by
 * JSON.stringify and meet the memory limit instead.
 */
function holdsLongText(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false;
  // A long array's keys would be a second long array.
  const keys = isArray(value) ? null : ownKeys(value);
  const count = keys === null ? (value as unknown[]).length : keys.length;
  for (let i = 0; i < count && i < FIELDS_LOOKED_AT; i++) {
    const field = getOwnPropertyDescriptor(value, keys === null ? i : (keys[i] as string));
    if (field?.enumerable !== true || typeof field.value !== "string") continue;
    if (field.value.length > settling.resultBytes) return true;
  }
  return false;
}

const FIELDS_LOOKED_AT = 100;

function reasonOf(error: unknown): string {
  try {
    return describeError(error).text;
  } catch {
    return "it threw while it was read.";
  }
}
