/** Words of a search that count; further ones are ignored. */
export const SEARCH_WORDS_MAX = 32;
/** Characters of a word that count. */
const WORD_CHARS_MAX = 64;
/** The Unicode standard's bound for a "stream-safe" text (UAX #15): no language has as many marks on one letter. */
const MARKS_MAX = 30;

/**
 * The version of the rule by which `indexTerms` makes terms of a text. It rises with every change of them: terms of a
 * lower version are made anew, or searched by both.
 */
export const TERMS_RULE = 1;

/** A word of a search. */
export interface SearchWord {
  word: string;
  /** As terms have it that were stored when accents counted, as they did in logs before `TERMS_RULE` 1. */
  accented: string;
}

/** The words of a search that count, in order; each is safe inside quotes of any query language. */
export const searchWords = (text: string): string[] => wordsOf(text).slice(0, SEARCH_WORDS_MAX);

/** The same for terms that may have been stored when accents counted. */
export function accentedSearchWords(text: string): SearchWord[] {
  const accented = wordsIn(fold(text));
  // Marks and letters part no words, so there are as many of them.
  return searchWords(text).map((word, n) => ({ word, accented: accented[n] ?? word }));
}

/**
 * The words of a text as searches tell them apart, in order: letters and digits of any script, folded (`fold`, `withoutAccents`). A
 * text that is written without blanks between its words comes apart by ICU's dictionaries.
 */
export const wordsOf = (text: string): string[] => wordsIn(withoutAccents(fold(text)));

function wordsIn(folded: string): string[] {
  const words: string[] = [];
  for (const { run, isUnspaced } of runsOf(folded)) {
    if (!isUnspaced) words.push(cut(run));
    else words.push(...segmentsOf(run).map(cut));
  }
  return words;
}

/** Characters that no dictionary takes together stay together: 発 and 票 are no words of a search for 発票. */
function segmentsOf(run: string): string[] {
  const segments: string[] = [];
  let isOpen = false;
  for (const { segment } of BY_WORD.segment(run)) {
    const isSingle = Array.from(segment).length === 1;
    if (isSingle && isOpen) segments.push(`${segments.pop()}${segment}`);
    else segments.push(segment);
    isOpen = isSingle;
  }
  return segments;
}

/**
 * The index terms of a text, with repeats: its words, and for writing without blanks each pair of neighbouring characters
 * plus the last one alone. So `termsOf` finds any part of it, wherever dictionaries see its words.
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = [];
  for (const { run, isUnspaced } of runsOf(withoutAccents(fold(text)))) {
    if (!isUnspaced) terms.push(cut(run));
    else {
      const chars = Array.from(run);
      for (let n = 0; n < chars.length; n += 1) terms.push(`${chars[n]}${chars[n + 1] ?? ""}`);
    }
  }
  return terms;
}

/** The terms of an index that a text with this word has, all of them. A single one may be the beginning of the text's term. */
export function termsOf(word: string): string[] {
  if (!isUnspaced(word)) return [word];
  const chars = Array.from(word);
  return chars.length === 1 ? chars : chars.slice(1).map((char, n) => `${chars[n]}${char}`);
}

/** Whether the word is of a script that is written without blanks, or, as Korean, joins endings to its words. */
export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word);

/**
 * A text as searches compare it: composed (NFC), full-width and half-width letters as letters, and without a difference of
 * case (`STRASSE` is `Straße`, both sigmas are one). Time and result are linear in the text's length; the compatible form
 * (NFKC) of all would make 18 characters of one.
 */
function fold(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  return text
    .replaceAll(TOO_MANY_MARKS, "$1")
    .replaceAll(OF_OTHER_WIDTH, (letters) => letters.normalize("NFKC"))
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFC");
}

/**
 * Without the marks on Latin and Greek letters, and with the letters that Latin ones are spelt with where they are missing: café is
 * cafe, smørrebrød smorrebrod. In other scripts a mark makes another letter, or a vowel.
 */
function withoutAccents(folded: string): string {
  if (IS_ASCII.test(folded)) return folded;
  return folded
    .normalize("NFD")
    .replaceAll(MARKS_ON_LETTERS, "$1")
    .replaceAll(LETTERS_OF_THEIR_OWN, (letter) => SPELT[letter] ?? letter)
    .normalize("NFC");
}

interface Run {
  run: string;
  isUnspaced: boolean;
}

/** Splitting takes half the time of matching; a MiB of plain text takes some 60 ms in all, one full of accents 150. */
function* runsOf(folded: string): Generator<Run> {
  for (const word of folded.split(BETWEEN_WORDS)) {
    if (word === "") continue;
    if (IS_ASCII.test(word)) yield { run: word, isUnspaced: false };
    else for (const [run] of word.matchAll(RUNS)) yield { run, isUnspaced: isUnspaced(run) };
  }
}

const UNSPACED =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
// A mark belongs to the letter before it, whatever scripts it is used in.
const RUNS = new RegExp(`(?:[${UNSPACED}]\\p{M}*)+|(?:[^${UNSPACED}]\\p{M}*)+`, "gu");
const MARKS_ON_LETTERS = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const LETTERS_OF_THEIR_OWN = /[æœøłđðþħŧ]/g;
const SPELT: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
};
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");
const OF_OTHER_WIDTH = /[\uff00-\uffef]+/g;
// oxlint-disable-next-line no-control-regex -- it is the range of ASCII that is meant.
const IS_ASCII = /^[\x00-\x7f]*$/;
const BY_WORD = new Intl.Segmenter("und", { granularity: "word" });

/** No surrogate pair is cut in two. */
const cut = (word: string): string =>
  word.length > WORD_CHARS_MAX
    ? Array.from(word.slice(0, 2 * WORD_CHARS_MAX))
        .slice(0, WORD_CHARS_MAX)
        .join("")
    : word;
