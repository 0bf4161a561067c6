import { CUT_MARK, head } from "./budget.ts";
import {
  ErrorCtor,
  indexOf,
  isArray,
  matchOf,
  objectToString,
  slice,
  splitAt,
  toText,
  WeakMapCtor,
  weakMapGet,
  weakMapSet,
} from "./primordials.ts";
import { lazily } from "./lazily.ts";

/** The wire's MESSAGE_CHARS_MAX is the host's to keep; this leaves room for the place. */
const TEXT_CHARS_MAX = 1_900;
/** Reasons of an AggregateError that are shown. */
const REASONS_MAX = 10;
/** The depth to which causes of causes are shown. */
const CAUSES_MAX = 3;
/** Frames of a thrown error that are shown, and the part of its stack that is searched for them. */
const FRAMES_MAX = 10;
const STACK_CHARS_MAX = 8_192;
/** As V8 writes a frame of the tool's; a stack is a text that the tool may have made up. */
const WHOLE_FRAME = /^ {4}at (?:[\w$.<>[\] #]{1,100} \()?(?:async )?tool\.js:\d{1,9}:\d{1,9}\)?$/;
const TOOL_FRAME = /\n\s+at (?:[^\n]*[( ])?tool\.js:(\d+):(\d+)/;

declare const require: (path: string) => unknown;

const formatting = lazily(() => require("./format.ts") as typeof import("./format.ts"));

const Aggregate = AggregateError;
const refusals = new WeakMapCtor<object, string>();

/**
 * An error for a request without a response. The code is remembered beside it: the tool can't forge one. `asked` was made
 * where the tool asked; its frames are the error's.
 */
export function refusedError(code: string, message: string, asked?: Error, isCapability = false): Error {
  // A fetch without an answer is a TypeError by its standard; a tool that could not be called is not.
  const isPlain = isCapability || indexOf(code, "tool_") === 0 || code === "call_limit";
  const error = isPlain ? new Error(message) : new TypeError(message);
  if (asked !== undefined && typeof asked.stack === "string") {
    const at = indexOf(asked.stack, "\n");
    if (at >= 0) error.stack = `${error.name}: ${message}${slice(asked.stack, at)}`;
  }
  weakMapSet(refusals, error, code);
  (error as Error & { code: string }).code = code;
  return error;
}

/** An error as web APIs throw it: a DOMException of this name, whose class is made with the first one. */
export function namedError(name: string, message: string): Error {
  const { DOMException } = require("./dom-exception.ts") as typeof import("./dom-exception.ts");
  return new DOMException(message, name);
}

export const isErrorLike = (value: unknown): value is Error =>
  value instanceof ErrorCtor || objectToString(value) === "[object Error]";

/**
 * "Name: text", for an AggregateError also its reasons, the cause if there is one, the place in the tool's own code, and
 * the code of a refused request. A thrown value that is neither an error nor has a message is shown as a log shows it.
 * Throws if the tool's own getters throw.
 */
export function describeError(error: unknown): { text: string; code: string } {
  if (typeof error !== "object" || error === null) return { text: textOf(error, ""), code: "" };
  const code = weakMapGet(refusals, error) as string | undefined;
  return { text: textOf(error, reasonsIn(error) + causeIn(error, 1)), code: code ?? "" };
}

/**
 * The same for the error that ended the run, with the tool's own frames below if there are several: the first ten that
 * fit.
 */
export function describeThrown(error: unknown): ReturnType<typeof describeError> {
  const { text, code } = describeError(error);
  const { stack } = (error ?? {}) as { stack?: unknown };
  return { text: text + framesIn(stack, TEXT_CHARS_MAX - text.length), code };
}

function framesIn(stack: unknown, charsMax: number): string {
  if (typeof stack !== "string") return "";
  const lines = splitAt(slice(stack, 0, STACK_CHARS_MAX), "\n");
  let frames = "";
  let count = 0;
  for (let i = 1; i < lines.length && count < FRAMES_MAX; i++) {
    const line = lines[i] as string;
    if (matchOf(WHOLE_FRAME, line) === null) continue;
    if (frames.length + line.length >= charsMax) break;
    frames += `\n${line}`;
    count++;
  }
  return count > 1 ? frames : "";
}

function textOf(error: unknown, more: string): string {
  if (typeof error !== "object" || error === null) return cut(`Error: ${asText(error)}`);
  const { name, message, stack } = error as { name?: unknown; message?: unknown; stack?: unknown };
  const title = `${name === undefined ? "Error" : asText(name)}: ${messageOf(error, message)}`;
  return cut(title + more) + placeIn(stack);
}

/** The first of them, in brackets; reasons of reasons are left out. */
function reasonsIn(error: object): string {
  if (!(error instanceof Aggregate)) return "";
  const reasons: unknown = error.errors;
  if (!isArray(reasons) || reasons.length === 0) return "";
  const told = reasons.length < REASONS_MAX ? reasons.length : REASONS_MAX;
  let text = "";
  for (let i = 0; i < told && text.length < TEXT_CHARS_MAX; i++)
    text += (i > 0 ? "; " : "") + reasonText(reasons[i]);
  if (reasons.length > told) text += `; … ${reasons.length - told} more`;
  return ` [${text}]`;
}

function reasonText(reason: unknown): string {
  try {
    return textOf(reason, "");
  } catch {
    // A getter of this reason threw: the others are shown all the same.
    return "[unreadable]";
  }
}

/** In brackets, with its own cause; any value is shown as if it had been thrown. */
function causeIn(error: object, depth: number): string {
  if (depth > CAUSES_MAX || !isErrorLike(error)) return "";
  try {
    const { cause } = error;
    if (cause === undefined) return "";
    const more = typeof cause === "object" && cause !== null ? causeIn(cause, depth + 1) : "";
    return ` [cause: ${textOf(cause, more)}]`;
  } catch {
    // A getter of the tool threw: the error is shown all the same.
    return " [cause: unreadable]";
  }
}

const cut = (text: string): string =>
  text.length > TEXT_CHARS_MAX ? slice(text, 0, TEXT_CHARS_MAX) + CUT_MARK : text;

function messageOf(error: object, message: unknown): string {
  if (message !== undefined) return asText(message);
  return isErrorLike(error) ? "" : formatting().format(error);
}

const asText = (value: unknown): string => head(toText(value), TEXT_CHARS_MAX);

function placeIn(stack: unknown): string {
  if (typeof stack !== "string") return "";
  const match = matchOf(TOOL_FRAME, stack);
  return match === null ? "" : ` (tool.js:${match[1]}:${match[2]})`;
}
