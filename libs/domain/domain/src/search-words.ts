/** Words of a search that count; what comes after them is not looked for. */
export const SEARCH_WORDS_MAX = 16;
/** Characters of a word that count. */
const WORD_CHARS_MAX = 64;

/** The letters and digits of any script in a search, in order; each word is safe inside quotes of any query language. */
export const searchWords = (text: string): string[] => wordsOf(text).take(SEARCH_WORDS_MAX).toArray();

/** The words of a text as a search has them, in order. */
export const wordsOf = (text: string): IteratorObject<string> =>
  text
    .normalize("NFC")
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)
    .map(([word]) =>
      word.length > WORD_CHARS_MAX ? Array.from(word).slice(0, WORD_CHARS_MAX).join("") : word,
    );
