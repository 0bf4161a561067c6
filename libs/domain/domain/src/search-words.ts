/** Words of a search that count; what comes after them is not looked for. */
export const SEARCH_WORDS_MAX = 16;
/** Characters of a word that count. */
const WORD_CHARS_MAX = 64;

/** The letters and digits of any script in a search, in order; each word is safe inside quotes of any query language. */
export function searchWords(text: string): string[] {
  const words = text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.slice(0, SEARCH_WORDS_MAX).map((word) => Array.from(word).slice(0, WORD_CHARS_MAX).join(""));
}
