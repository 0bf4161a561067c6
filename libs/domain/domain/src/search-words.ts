/** Words of a search that count; what comes after them is not looked for. */
export const SEARCH_WORDS_MAX = 16;
/** Characters of a word that count. */
const WORD_CHARS_MAX = 64;
/** The same before letters and their marks are put together. */
const RAW_CHARS_MAX = 256;

/** The letters and digits of any script in a search, in order; each word is safe inside quotes of any query language. */
export const searchWords = (text: string): string[] => wordsOf(text).slice(0, SEARCH_WORDS_MAX);

/**
 * The words of a text as a search has them, in order. Splitting takes half the time of matching: 17 ms for a MiB. A word is cut
 * before it is normalized, too: that takes time in proportion to the square of a run of marks, 16 s for 256 KiB.
 */
export const wordsOf = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) =>
      IS_PLAIN.test(word) ? word : cut(cut(word, RAW_CHARS_MAX).normalize("NFC"), WORD_CHARS_MAX),
    );

const IS_PLAIN = /^[0-9A-Za-z]{1,64}$/;

/** No surrogate pair is cut in two. */
const cut = (word: string, charsMax: number): string =>
  word.length > charsMax
    ? Array.from(word.slice(0, 2 * charsMax))
        .slice(0, charsMax)
        .join("")
    : word;
