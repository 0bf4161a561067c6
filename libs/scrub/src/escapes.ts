/** An escape: the code point it stands for, and how many characters of the text spell it. */
export interface Escape {
  code: number;
  chars: number;
}

/** An escape of an escape is no longer, as serializers write it. */
export const ESCAPE_CHARS_MAX = 32;

const BACKSLASH = 0x5c;
const AMPERSAND = 0x26;
/** Leading zeros are bounded, so that a text is held for no longer than any serializer makes it. */
const ESCAPE = /\\(?:u([\da-f]{4})|x([\da-f]{2}))|&(?:#(\d{1,10})|#x([\da-f]{1,8})|(amp|lt|gt|quot|apos));/iy;
const BEGUN =
  /(?:\\(?:u[\da-f]{0,3}|x[\da-f]?)|&(?:#\d{0,10}|#x[\da-f]{0,8}|a(?:mp?|p(?:os?)?)?|[lg]t?|q(?:u(?:ot?)?)?))$/iy;
const LOW_HALF = /\\u(d[c-f][\da-f]{2})/iy;
const LOW_HALF_BEGUN = /(?:\\(?:u(?:d(?:[c-f][\da-f]?)?)?)?)?$/iy;
const NAMED = new Map(Object.entries({ amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 }));
/** By the letter after a backslash, the code that the two stand for. */
const MEANT = new Uint8Array(0x80);
for (const [letter, meant] of ['""', "''", "//", "\\\\", "b\b", "f\f", "n\n", "r\r", "t\t"])
  MEANT[letter!.charCodeAt(0)] = meant!.charCodeAt(0);
/** The UTF-16 codes of a text. */
export const codesOf = (letters: string): number[] =>
  Array.from({ length: letters.length }, (_, at) => letters.charCodeAt(at));
/** A backslash may also be followed by `&`: the letter that it escapes may be escaped itself. */
const BEHIND_BACKSLASH = new Set(codesOf("\"'/\\bfnrtuUxX&"));
const SAID_BEHIND_BACKSLASH = new Set(codesOf("\"'/\\bfnrtuUxX"));
const BEHIND_AMPERSAND = new Set(codesOf("#algqALGQ"));
/** A character that may follow `&` within an escape. */
const GOES_ON = /[#\da-z]/i;
/** So many characters of an unescaped text are unescaped once more: a surrogate pair. */
const SAID_CHARS_MAX = 13;

export const isEscapeStart = (code: number): boolean => code === BACKSLASH || code === AMPERSAND;

/** Whether an escape may begin with these two codes; the second may be missing, NaN. */
export const mayBegin = (code: number, next: number): boolean =>
  Number.isNaN(next) || (code === BACKSLASH ? BEHIND_BACKSLASH : BEHIND_AMPERSAND).has(next);

/** The same for two unescaped codes: the second is not unescaped further. */
const mayBeginSaid = (code: number, next: number): boolean =>
  Number.isNaN(next) || (code === BACKSLASH ? SAID_BEHIND_BACKSLASH : BEHIND_AMPERSAND).has(next);

/** The code that a backslash and this letter stand for, if the escape ends there; 0 if more must be read. */
export const meantAlone = (code: number, next: number): number =>
  code === BACKSLASH && next !== BACKSLASH && next < 0x80 ? MEANT[next]! : 0;

/**
 * The escapes that a text begins with, of JSON, JavaScript and HTML: the one that stands there, and its form after
 * unescaping its meaning once more. `isOpen`: it may depend on the text that follows.
 */
export function readEscapes(text: string): { escapes: Escape[]; isOpen: boolean } {
  const once = readEscape(text, 0);
  if (once === "begun") return { escapes: [], isOpen: true };
  const escapes = once ? [once] : [];
  const start = once ? once.code : BACKSLASH;
  if (once ? !isEscapeStart(start) : text.charCodeAt(1) !== AMPERSAND) return { escapes, isOpen: false };
  const startChars = once?.chars ?? 1;
  const next = readNext(text, startChars);
  if (!mayBeginSaid(start, next.code)) return { escapes, isOpen: false };
  if (start === BACKSLASH && MEANT[next.code]! > 0) {
    escapes.push({ code: MEANT[next.code]!, chars: startChars + next.chars });
    return { escapes, isOpen: false };
  }
  const { said, ends } = unescapeOnce(text);
  const twice = readEscape(said, 0);
  if (twice === "begun") return { escapes, isOpen: true };
  if (twice) escapes.push({ code: twice.code, chars: ends[twice.chars - 1]! });
  return { escapes, isOpen: false };
}

/** The code at this position; NaN where the text ends or the escape is incomplete. */
function readNext(text: string, at: number): Escape {
  const code = text.charCodeAt(at);
  const escape = isEscapeStart(code) ? readEscape(text, at) : null;
  return escape === "begun" ? { code: Number.NaN, chars: 0 } : (escape ?? { code, chars: 1 });
}

function readEscape(text: string, at: number): Escape | "begun" | null {
  const [start, next] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  if (Number.isNaN(next)) return isEscapeStart(start) ? "begun" : null;
  if (!isEscapeStart(start) || !mayBegin(start, next)) return null;
  if (start === BACKSLASH && MEANT[next]! > 0) return { code: MEANT[next]!, chars: 2 };
  const match = matchAt(ESCAPE, text, at);
  if (!match) return matchAt(BEGUN, text, at) ? "begun" : null;
  const [{ length: chars }, unicode, hex, decimal, hexadecimal, name] = match;
  const digits = unicode ?? hex ?? hexadecimal;
  const code =
    NAMED.get(name?.toLowerCase() ?? "") ?? (digits ? Number.parseInt(digits, 16) : Number(decimal));
  if (code > 0x10ffff) return null;
  return unicode && code >= 0xd800 && code < 0xdc00
    ? joinPair({ code, chars }, text, at + chars)
    : { code, chars };
}

function matchAt(regExp: RegExp, text: string, at: number): RegExpExecArray | null {
  regExp.lastIndex = at;
  return regExp.exec(text);
}

/** Half of a surrogate pair, with the other half where that follows. */
function joinPair(high: Escape, text: string, at: number): Escape | "begun" {
  const low = matchAt(LOW_HALF, text, at);
  if (!low) return matchAt(LOW_HALF_BEGUN, text, at) ? "begun" : high;
  const code = 0x10000 + ((high.code - 0xd800) << 10) + Number.parseInt(low[1]!, 16) - 0xdc00;
  return { code, chars: high.chars + low[0].length };
}

/**
 * The text without one level of escapes, as far as it tells the escape that begins it, and for each of its characters the
 * end of its spelling.
 */
function unescapeOnce(text: string): { said: string; ends: number[] } {
  let said = "";
  const ends: number[] = [];
  for (let at = 0; at < text.length && !isTold(said);) {
    const escape = readEscape(text, at);
    if (escape === "begun") break;
    const letters = escape ? String.fromCodePoint(escape.code) : text[at]!;
    at += escape?.chars ?? 1;
    said += letters;
    for (let i = 0; i < letters.length; i++) ends.push(at);
  }
  return { said, ends };
}

/** Whether nothing that follows makes it another escape, or one at all. */
function isTold(said: string): boolean {
  const { length } = said;
  if (length < 2 || length >= SAID_CHARS_MAX) return length >= SAID_CHARS_MAX;
  if (said.charCodeAt(0) === AMPERSAND) return !GOES_ON.test(said[length - 1]!);
  if (length === 2) return !/[ux]/i.test(said[1]!);
  const isHalf = /[dD]/.test(said[2]!);
  return length >= (/u/i.test(said[1]!) ? (isHalf ? SAID_CHARS_MAX : 6) : 4);
}
