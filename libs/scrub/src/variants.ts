import { REDACTED, SECRET_CHARS_MIN, type Needle } from "@bulkhead/core";
import { base64Phases, htmlEscapes, jsonEscapes, toBase64Url, toLatin1, urlEncodings } from "./encodings.ts";
import { recase, recaseHost } from "./recase.ts";
import { linesOf, secretParts } from "./secret-parts.ts";

/** One text to find. */
export interface Word {
  text: string;
  wholeWordsOnly: boolean;
}

/** Shorter words stand in ordinary text by chance and are covered as whole words only, however they were declared. */
const WORD_CHARS_MIN = 6;
const LONG_CHARS = 1_024;
/** Fewer digits, as a number, stand in ordinary JSON by chance. */
const NUMBER_CHARS_MIN = SECRET_CHARS_MIN;

/** Every text to find for these needles; each once. */
export function listWords(needles: readonly Needle[]): Word[] {
  const whole = new Map<string, boolean>();
  for (const needle of needles)
    for (const text of spellings(needle)) {
      const word = trimMarker(text);
      if (word === "") continue;
      const isWhole = needle.wholeWordsOnly || word.length < WORD_CHARS_MIN;
      whole.set(word, isWhole && (whole.get(word) ?? true));
    }
  return [...whole].map(([text, wholeWordsOnly]) => ({ text, wholeWordsOnly }));
}

/** Without the blanks around it too: headers lose them. */
function spellings({ value, wholeWordsOnly }: Needle): string[] {
  const values = [...new Set([value, value.trim()])];
  return values.flatMap((one) => [
    ...(wholeWordsOnly ? escapes(one) : variants(one)),
    ...recasings(one, wholeWordsOnly),
  ]);
}

/**
 * The value in other cases, and so in a URL's query, in which no host ends; JSON and HTML forms of these are read as their
 * plain text. A short or common value gets these only if it has a digit: `Admin` in small letters is a word of every text.
 */
function recasings(value: string, wholeWordsOnly: boolean): string[] {
  if ((wholeWordsOnly || value.length < WORD_CHARS_MIN) && !/\d/.test(value)) return [];
  const isLong = value.length > LONG_CHARS;
  const all = isLong ? [value.toLowerCase()] : recase(value);
  const asHost = isLong ? [] : recaseHost(value);
  const inQueries = all.map((text) => encodeURIComponent(text.toWellFormed()));
  return [...all, ...asHost, ...inQueries, ...[...all, ...asHost].map(toLatin1)];
}

/** The value itself, as it stands in text of several kinds, and in the bytes of such text. */
function escapes(value: string): string[] {
  const texts = [
    value,
    ...jsonEscapes(value),
    ...htmlEscapes(value),
    ...urlEncodings(value),
    ...asNumber(value),
  ];
  const bytes = texts.map(toLatin1);
  return [...texts, ...bytes, toLatin1(toLatin1(value))];
}

function variants(value: string): string[] {
  if (value.length > LONG_CHARS) return longVariants(value);
  const utf8 = Buffer.from(value, "utf8");
  const base64 = [...base64Phases(utf8), ...base64Phases(Buffer.from(value, "utf16le"))];
  const hex = utf8.toString("hex");
  const encoded = [...base64, ...base64.map(toBase64Url), hex, hex.toUpperCase()];
  return [
    ...escapes(value),
    ...encoded.filter((text) => text.length >= WORD_CHARS_MIN),
    ...parts(value).flatMap(escapes),
    ...otherLineEnds(value),
  ];
}

/**
 * A long value, such as a file of keys, gets only the encodings that files meet: all of them would take 40 times its
 * length.
 */
function longVariants(value: string): string[] {
  const utf8 = Buffer.from(value, "utf8");
  const json = JSON.stringify(value).slice(1, -1);
  const encoded = [...base64Phases(utf8), utf8.toString("hex"), encodeURIComponent(value.toWellFormed())];
  return [value, toLatin1(value), json, toLatin1(json), ...encoded, ...parts(value), ...otherLineEnds(value)];
}

/** A number that was made of a value of digits, as JSON writes it. */
function asNumber(value: string): string[] {
  if (!/^\d{1,300}$/.test(value)) return [];
  const number = String(Number(value));
  return number.length < NUMBER_CHARS_MIN ? [] : [number];
}

/** The parts of a value that are secrets by themselves, and all its lines without their ends, as a log shows them. */
function parts(value: string): string[] {
  const lines = linesOf(value);
  return [...secretParts(value), ...(lines.length === 1 ? [] : [lines.join("")])];
}

/** The value with other line ends. Escaped line ends are read as plain ones. */
function otherLineEnds(value: string): string[] {
  const lines = linesOf(value);
  return lines.length === 1 ? [] : ["\n", "\r\n", " "].map((end) => lines.join(end));
}

/**
 * A word never reaches into a marker: else the rest beside a marker could be found again, and a second scrub would differ
 * from the first. If nothing is left, the word can't be told from a marker.
 */
function trimMarker(text: string): string {
  const longest = text.split(REDACTED).reduce((a, b) => (b.length > a.length ? b : a));
  let word = longest;
  for (let cut = 1; cut > 0 && word !== "";) {
    const [before, after] = [sharedChars(word, REDACTED), sharedChars(REDACTED, word)];
    word = word.slice(after, word.length - before);
    cut = before + after;
  }
  return word.length >= WORD_CHARS_MIN || longest !== text ? word : text;
}

/** How many characters at the end of one text begin the other. */
function sharedChars(ending: string, beginning: string): number {
  for (let chars = Math.min(ending.length, beginning.length); chars > 0; chars--)
    if (ending.endsWith(beginning.slice(0, chars))) return chars;
  return 0;
}
