import { takeBody } from "./body.ts";
import { mediaTypes } from "./body-modules.ts";
import { head, spend } from "./budget.ts";
import { chunkBytes, chunkText } from "./chunk.ts";
import { lazily } from "./lazily.ts";
import { gatherBeginning, gatherContent } from "./gather-content.ts";
import { indexOf, matchOf, slice } from "./primordials.ts";
import type { Response } from "./response.ts";

declare const require: (path: string) => unknown;

const codings = lazily(() => require("./codings.ts") as typeof import("./codings.ts"));

const SAYS_UTF8 = /;[\t ]*charset="?utf-?8"?[\t ]*(?:;|$)/i;
const SAYS_CHARSET = /;[\t ]*charset=/i;
const SHOWN_CHARS_MAX = 60;
/** Bytes of a character, in UTF-8 and in every other encoding. */
const CHAR_BYTES_MAX = 4;

const ADVICE =
  "fetch and response.bytes() give its bytes; new TextDecoder(encoding) reads them where no header names the encoding.";

/** The types whose warning was logged. */
let told = "";

/**
 * A body as text: in the encoding of its byte order mark, else of its header, else in UTF-8. Bytes that are invalid in it
 * become U+FFFD, and a warning in the run's log says so, once for each type.
 */
export async function readText(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  const chunk = await gatherContent(takeBody(response), Infinity);
  const label = labelOf(type);
  // A chunk of text was UTF-8, and stays so without a label.
  if (typeof chunk === "string" && label === "") return chunkText(chunk);
  return decode(chunkBytes(chunk), label, type);
}

/**
 * The beginning of a body, `charsWanted` or somewhat more if it has them; losses are not reported, since the end is cut.
 */
export async function readBeginning(response: Response, charsWanted: number): Promise<string> {
  const chunk = await gatherBeginning(takeBody(response), charsWanted);
  if (typeof chunk === "string") return chunkText(chunk);
  const { codingOf, encodingOf } = codings();
  const bytes = chunk.subarray(0, charsWanted * CHAR_BYTES_MAX);
  const label = labelOf(response.headers.get("content-type") ?? "");
  return codingOf(markOf(bytes) ?? (encodingOf(label) || "utf-8")).decode(bytes, false, true);
}

/** Empty for UTF-8. */
const labelOf = (type: string): string =>
  matchOf(SAYS_CHARSET, type) === null || matchOf(SAYS_UTF8, type) !== null ? "" : charsetOf(type);

const charsetOf = (type: string): string => mediaTypes().parameterOf(type, "charset") ?? "";

function decode(bytes: Uint8Array, label: string, type: string): string {
  const { codingOf, encodingOf } = codings();
  const encoding = markOf(bytes) ?? (label === "" ? null : encodingOf(label)) ?? "utf-8";
  let text: string;
  try {
    text = codingOf(encoding).decode(bytes, true, false);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    warnOfLoss(encoding, type);
    text = codingOf(encoding).decode(bytes, false, false);
  }
  return indexOf(encoding, "utf-") === 0 && text[0] === "\ufeff" ? slice(text, 1) : text;
}

/** By the standard a mark takes precedence over a header. */
function markOf(bytes: Uint8Array): string | null {
  const [a, b, c] = [bytes[0], bytes[1], bytes[2]];
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : null;
}

function warnOfLoss(encoding: string, type: string): void {
  const shown = type === "" ? "without a type" : `of type ${head(type, SHOWN_CHARS_MAX)}`;
  if (indexOf(told, `${shown};`) >= 0) return;
  told += `${shown};`;
  const lost = `A body ${shown} is no text in ${encoding}: its invalid bytes became U+FFFD.`;
  spend("log", `${lost} ${ADVICE}`, "warn");
}
