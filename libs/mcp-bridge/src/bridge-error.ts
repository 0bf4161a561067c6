import { Fault } from "@bulkhead/core";
import { SdkHttpError } from "@modelcontextprotocol/client";
import { WORDS_CHARS_MAX } from "./bounds.ts";

/** Why nothing could be had of a server, in words for people. They may hold a stranger's text, so they are covered before they leave. */
export class BridgeError extends Error {
  readonly code: "unreachable" | "too_large";

  constructor(message: string, code: BridgeError["code"] = "unreachable", options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The first of this kind among an error and its causes; the client wraps what its transport throws. */
export function bridgeErrorIn(error: unknown): BridgeError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
    if (at instanceof BridgeError) return at;
  return null;
}

const asItIs = (text: string): string => text;
/** Characters of an error that are looked at: more than are shown, so that no value is cut before it is covered. */
const COVERED_CHARS_MAX = 16 * WORDS_CHARS_MAX;

/** An error in words for people, covered and then cut. Those of our own platform's faults say nothing of its inside. */
export function wordsOf(error: unknown, cover: (text: string) => string = asItIs): string {
  return cut(cover(cut(textOf(error), COVERED_CHARS_MAX)));
}

function textOf(error: unknown): string {
  const own = bridgeErrorIn(error);
  if (own) return own.message;
  if (error instanceof Fault) return error.detail;
  if (error instanceof SdkHttpError)
    return `the server answered with HTTP status ${error.status}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

export const cut = (text: string, charsMax = WORDS_CHARS_MAX): string =>
  text.length > charsMax ? `${text.slice(0, charsMax - 1).toWellFormed()}…` : text.toWellFormed();
