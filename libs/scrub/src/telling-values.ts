import { REDACTED } from "@bulkhead/core";

/** The words before a token in a header. */
export const SCHEME = /(?:Bearer|Basic|Token|Bot|ApiKey|Digest)\s{1,4}/iy;
/** Between the parts of a cookie. */
const PART_END = /;\s{0,4}/;

const TOKEN_CHARS_MIN = 8;
/** From this length on neither digit nor capital is required. */
export const LONG_TOKEN_CHARS_MIN = 20;
const SPACE = /\s/;
const DIGIT = /\d/;
/** Capitals and small letters after the first letter, which a name or the start of a sentence may have as a capital. */
const MIXED_CASE = /^.+[A-Z].*[a-z]|^.+[a-z].*[A-Z]/;

/**
 * Whether a text under an ambiguous name, such as `token` or `cookie`, is a secret and no plain word: it has no spaces, 8
 * characters or more, and a digit or letters of both cases, or 20 characters and more. In `Bearer …` the rest counts, in a
 * cookie's list any part. A text with a covered range is no secret: the secret part is gone, and covering twice must equal
 * covering once.
 */
export function looksLikeToken(text: string): boolean {
  if (text.includes(REDACTED)) return false;
  SCHEME.lastIndex = 0;
  const bare = SCHEME.test(text) ? text.slice(SCHEME.lastIndex) : text;
  return bare.split(PART_END).some(isTokenLike);
}

const isTokenLike = (part: string): boolean =>
  part.length >= TOKEN_CHARS_MIN &&
  !SPACE.test(part) &&
  (part.length >= LONG_TOKEN_CHARS_MIN || DIGIT.test(part) || MIXED_CASE.test(part));
