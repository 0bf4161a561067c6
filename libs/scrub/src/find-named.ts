import { REDACTED } from "@bulkhead/core";
import type { BareValues } from "./bare-values.ts";
import { nameBefore, secretNameOf } from "./secret-names.ts";
import { LONG_TOKEN_CHARS_MIN, looksLikeToken, SCHEME } from "./telling-values.ts";

/** The position of a secret in a text. */
export interface Found {
  start: number;
  end: number;
}

// A match must not depend on the text after it, beyond the end itself: that text may be a mark the next time.
const VALUE_CHARS_MIN = 6;
const ASSIGNMENT = /(\\{0,3}["'])?\s{0,4}(?:=>|[:=])\s{0,4}/y;
const QUOTED = /(\\{0,3}["'`])/y;
const BEARER_CHARS_MIN = 16;
const VALUE_CHARS_MAX = 4_096;

/**
 * The value in `name=value`, `name: value` or `"name":"value"` in a text, for the name that ends at `nameEnd` and begins
 * at `from` or after it; only the part of the value before `until` counts. A quoted name is JSON, and any value is taken;
 * else only a value that prose and code don't contain: of six characters and more, with a digit, or in the query of a URL.
 * Under an ambiguous name, outside a query, it must also look like a token.
 */
export function findNamed(values: BareValues, from: number, nameEnd: number, until: number): Found | null {
  const { text } = values;
  ASSIGNMENT.lastIndex = nameEnd;
  const assignment = ASSIGNMENT.exec(text);
  if (!assignment) return null;
  const name = nameBefore(text, from, nameEnd);
  const says = secretNameOf(name);
  // `"@fastify/cookie": "1.0.2"` is another key.
  if (says === null || (assignment[1] && text[nameEnd - name.length - 1] !== assignment[1].at(-1)))
    return null;
  const at = ASSIGNMENT.lastIndex;
  QUOTED.lastIndex = at;
  const quote = QUOTED.exec(text)?.[1];
  const start = at + (quote?.length ?? 0);
  const isJson = quote !== undefined && assignment[1] !== undefined;
  const nameStart = nameEnd - name.length;
  const inQuery = quote === undefined && nameStart > from && "?&".includes(text[nameStart - 1]!);
  const found = isJson ? findQuoted(text, start, quote) : findBare(values, start, inQuery);
  if (found === null || says === "certain" || inQuery) return found;
  // Without quotes it has no spaces: no more of it is needed to tell.
  const seenEnd = Math.min(found.end, until, isJson ? until : found.start + LONG_TOKEN_CHARS_MIN);
  return looksLikeToken(text.slice(found.start, seenEnd)) ? found : null;
}

/** `Bearer …`, for the word that ends at `wordEnd`. */
export function findBearer(values: BareValues, wordEnd: number): Found | null {
  const found = findBare(values, wordEnd, false);
  return found && found.end - found.start >= BEARER_CHARS_MIN ? found : null;
}

function findBare(values: BareValues, from: number, inQuery: boolean): Found | null {
  SCHEME.lastIndex = from;
  const start = SCHEME.test(values.text) ? SCHEME.lastIndex : from;
  const end = values.endAfter(start);
  if (end === start) return null;
  const isLong = end - start >= VALUE_CHARS_MIN;
  const isSecret = inQuery || (isLong && (start > from || values.looksSecret(start, end)));
  return isSecret ? { start, end } : null;
}

function findQuoted(text: string, start: number, quote: string): Found | null {
  const end = text.slice(start, start + VALUE_CHARS_MAX).search(closing(quote)) + start;
  return end > start && text.slice(start, end) !== REDACTED ? { start, end } : null;
}

/** The same quote again, unless it is escaped once more. */
function closing(quote: string): RegExp {
  const mark = quote.at(-1);
  const escapes = "\\\\".repeat(quote.length - 1);
  return new RegExp(`(?<!\\\\)${escapes}${mark}|$|\\n`);
}
