import { takeInteger, takeText, TEXT_CHARS_MAX } from "./arguments.ts";
import { romanized, withoutMarks } from "./letters.ts";
import { eachPiece, isSpace } from "./pieces.ts";

/**
 * Lower-case ASCII letters and digits, single dashes between words. Latin, Greek and Cyrillic letters are spelled in
 * ASCII, apostrophes drop out, everything else separates; a text of nothing else has the empty slug.
 */
export function slugify(text: string): string {
  let slug = "";
  let isBetween = false;
  eachPiece(takeText("slugify", "text", text), (piece) => {
    const words = dashed(piece);
    const bare = words.replace(/^-|-$/g, "");
    isBetween ||= words.startsWith("-");
    if (bare === "") return;
    slug += isBetween && slug !== "" ? `-${bare}` : bare;
    isBetween = words.endsWith("-");
  });
  return slug;
}

/** Replaces every separator by a dash, at the ends too. */
function dashed(piece: string): string {
  const lower = piece.normalize("NFKC").toLowerCase();
  // Before the marks go, for letters that are more than a marked one (й), and after, for those that are not (ά).
  const ascii = romanized(withoutMarks(romanized(lower))).replace(/['’]/g, "");
  return ascii.replace(/[^a-z0-9]+/g, "-");
}

/** Letters without their accents, `ß` as ss, `ø` as o and so on; scripts whose marks are vowels stay as they are. */
export function removeDiacritics(text: string): string {
  let bare = "";
  eachPiece(takeText("removeDiacritics", "text", text), (piece) => {
    bare += withoutMarks(piece);
  });
  return bare;
}

/**
 * At most `maxLength` UTF-16 units, including the suffix; a suffix that doesn't fit is left out. A pair of surrogates is
 * never split.
 */
export function truncate(text: string, maxLength = 100, suffix = "..."): string {
  const given = takeText("truncate", "text", text);
  const max = takeInteger("truncate", "maxLength", maxLength, 0, TEXT_CHARS_MAX);
  const ending = takeText("truncate", "suffix", suffix);
  if (given.length <= max) return given;
  return ending.length > max ? startOf(given, max) : startOf(given, max - ending.length) + ending;
}

function startOf(text: string, length: number): string {
  const splits = isHighSurrogate(text.charCodeAt(length - 1)) && isLowSurrogate(text.charCodeAt(length));
  return text.slice(0, splits ? length - 1 : length);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

const WRITTEN_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Counts stretches between white space that have a letter or digit; `don't` and `well-known` are one word, a lone dash is
 * none. Scripts that put no spaces between words are divided by Unicode's rules.
 */
export function countWords(text: string): number {
  let count = 0;
  const countIn = (piece: string): void => {
    for (const token of piece.split(/\s+/)) {
      if (WRITTEN_WITHOUT_SPACES.test(token)) count += wordsWithin(token);
      else if (/[\p{L}\p{N}]/u.test(token)) count++;
    }
  };
  eachPiece(takeText("countWords", "text", text), countIn, isSpace);
  return count;
}

let segmenter: Intl.Segmenter | null = null;

function wordsWithin(token: string): number {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  let count = 0;
  for (const segment of segmenter.segment(token)) if (segment.isWordLike === true) count++;
  return count;
}
