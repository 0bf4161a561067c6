import { takeText } from "./arguments.ts";

const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu;
const HUMP = /([\p{Ll}\p{N}]\p{M}*)(?=\p{Lu})/gu;
const ACRONYM_END = /(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;
const LETTERS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

/** `HTTPServer`, `http_server` and `http server` are the same two words; digits belong to what they follow. */
function wordsOf(fn: string, text: unknown): string[] {
  const given = takeText(fn, "text", text).normalize("NFC").replace(APOSTROPHE, "");
  const apart = given.replace(HUMP, "$1 ").replace(ACRONYM_END, "$1 ");
  return apart.split(BETWEEN_WORDS).filter((word) => word !== "");
}

function capitalized(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

/** `someWordsHere`, of words in any of these styles. */
export const camelCase = (text: string): string =>
  wordsOf("camelCase", text)
    .map((word, index) => (index === 0 ? word.toLowerCase() : capitalized(word)))
    .join("");

/** `some_words_here`, of words in any of these styles. */
export const snakeCase = (text: string): string => wordsOf("snakeCase", text).join("_").toLowerCase();

/** `some-words-here`, of words in any of these styles; letters beyond ASCII stay. */
export const kebabCase = (text: string): string => wordsOf("kebabCase", text).join("-").toLowerCase();

/** Every word with a capital and the rest of it small; what stands between the words stays. */
export const titleCase = (text: string): string =>
  takeText("titleCase", "text", text).replace(LETTERS, (word) => capitalized(word));
