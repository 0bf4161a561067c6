import type { HeldSecret } from "@bulkhead/core";
import { URL_CHARS_MAX } from "./bounds.ts";

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;
const WORD_START = "(?<![a-z0-9_])";
const WORD_END = "(?![a-z0-9_])";

/**
 * Finds a secret's value however a URL writes it: each byte as it is or encoded, in any case, since a host has none.
 * Null where it can't be in a URL.
 */
export function findWritten({ value, wholeWordsOnly }: HeldSecret): RegExp | null {
  const bytes = Buffer.from(value);
  if (bytes.length === 0 || bytes.length > URL_CHARS_MAX) return null;
  const written = Array.from(bytes, writtenByte).join("");
  return new RegExp(wholeWordsOnly ? WORD_START + written + WORD_END : written, "gi");
}

// No repetition and no two ways to read one text: linear for any value.
function writtenByte(byte: number): string {
  const ways = [`%${byte.toString(16).padStart(2, "0")}`];
  if (byte === 0x20) ways.push("\\+");
  if (byte >= 0x20 && byte < 0x7f) ways.push(String.fromCharCode(byte).replace(SPECIAL, "\\$&"));
  return `(?:${ways.join("|")})`;
}

/** From this many characters on the beginning of a value counts as the value. */
const START_CHARS = 4;
/** How many times a written value may have been encoded. */
const ENCODINGS_MAX = 3;

/**
 * Whether a URL's text, as it is or decoded, holds the value or its beginning, as when a separator cut the value. A short
 * or common value is searched as a whole word only.
 */
export function holdsStart(secret: HeldSecret, text: string): boolean {
  const forms = decodedForms(text.replace(HTTP, ""));
  if (secret.wholeWordsOnly) {
    const written = findWritten(secret);
    return written !== null && forms.some((form) => form.search(written) >= 0);
  }
  const start = alike(secret.value.trim().replace(HTTP, "")).slice(0, START_CHARS);
  return start !== "" && forms.some((form) => alike(form).includes(start));
}

/** The beginning of every address says nothing of a value that is one. */
const HTTP = /^\s*https?:\/*/i;

/** The text in a form that is equal for all spellings that a reader or a builder of URLs treats alike. */
const alike = (text: string): string =>
  text
    .replace(/[\t\r\n]/g, "")
    .replaceAll("+", " ")
    .replaceAll("\\", "/")
    .toUpperCase();

function decodedForms(text: string): string[] {
  // A header's bytes come as characters of one byte each.
  const forms = [text, Buffer.from(text, "latin1").toString(), decodeOnce(text, "latin1")];
  for (let decoded = text, times = 0; times < ENCODINGS_MAX; times += 1) {
    decoded = decodeOnce(decoded);
    forms.push(decoded);
  }
  return forms;
}

/** Leaves invalid encodings as they are. */
const decodeOnce = (text: string, encoding: "utf8" | "latin1" = "utf8"): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString(encoding),
  );
