import { CUT_MARK, head } from "./budget.ts";
import {
  indexOf,
  matchOf,
  objectToString,
  slice,
  toText,
  WeakMapCtor,
  weakMapGet,
  weakMapSet,
} from "./primordials.ts";
import { lazily } from "./lazily.ts";

/** The wire's MESSAGE_CHARS_MAX is the host's to keep; this leaves room for the place. */
const TEXT_CHARS_MAX = 1_900;
const TOOL_FRAME = /\n\s+at (?:[^\n]*[( ])?tool\.js:(\d+):(\d+)/;

declare const require: (path: string) => unknown;

const formatting = lazily(() => require("./format.ts") as typeof import("./format.ts"));

const refusals = new WeakMapCtor<object, string>();

/**
 * An error for a request without a response. The code is remembered beside it: the tool can't forge one. `asked` was made
 * where the tool asked; its frames are the error's.
 */
export function refusedError(code: string, message: string, asked?: Error): Error {
  // A fetch without an answer is a TypeError by its standard; a tool that could not be called is not.
  const isCall = indexOf(code, "tool_") === 0 || code === "call_limit";
  const error = isCall ? new Error(message) : new TypeError(message);
  if (asked !== undefined && typeof asked.stack === "string") {
    const at = indexOf(asked.stack, "\n");
    if (at >= 0) error.stack = `${error.name}: ${message}${slice(asked.stack, at)}`;
  }
  weakMapSet(refusals, error, code);
  (error as Error & { code: string }).code = code;
  return error;
}

/** As web APIs throw them: an error with a name of its own. */
export function namedError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

export const isErrorLike = (value: unknown): value is Error =>
  value instanceof Error || objectToString(value) === "[object Error]";

/**
 * "Name: text", the place in the tool's own code where there is one, and the code of a refused request. What was thrown
 * and is neither an error nor has a message is shown as a log shows it. Throws what the tool's own getters throw.
 */
export function describeError(error: unknown): { text: string; code: string } {
  if (typeof error !== "object" || error === null) return { text: cut(`Error: ${asText(error)}`), code: "" };
  const code = weakMapGet(refusals, error) as string | undefined;
  const { name, message, stack } = error as { name?: unknown; message?: unknown; stack?: unknown };
  const title = `${name === undefined ? "Error" : asText(name)}: ${messageOf(error, message)}`;
  return { text: cut(title) + placeIn(stack), code: code ?? "" };
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
