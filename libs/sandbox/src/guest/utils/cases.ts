import { takeText } from "./arguments.ts";
import { eachPiece, isSpace } from "./pieces.ts";

const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu;
const HUMP = /([\p{Ll}\p{N}]\p{M}*)(?=\p{Lu})/gu;
const ACRONYM_END = /(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;
const LETTERS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

/** `HTTPServer`, `http_server` and `http server` are the same two words; digits belong to the letters before them. */
function wordsOf(text: string): string[] {
  const apart = text
    .normalize("NFC")
    .replace(APOSTROPHE, "")
    .replace(HUMP, "$1 ")
    .replace(ACRONYM_END, "$1 ");
  return apart.split(BETWEEN_WORDS).filter((word) => word !== "");
}

/** The words as `spell` writes them, `between` in between. */
function joined(
  fn: string,
  text: unknown,
  between: string,
  spell: (word: string, isFirst: boolean) => string,
): string {
  let made = "";
  const add = (piece: string): void => {
    const words = wordsOf(piece).map((word, index) => spell(word, made === "" && index === 0));
    if (words.length > 0) made += (made === "" ? "" : between) + words.join(between);
  };
  eachPiece(takeText(fn, "text", text), add, isSpace);
  return made;
}

const small = (word: string): string => word.toLowerCase();

function capitalized(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

/** `someWordsHere`, of words in any of these styles. */
export const camelCase = (text: string): string =>
  joined("camelCase", text, "", (word, isFirst) => (isFirst ? small(word) : capitalized(word)));

/** `some_words_here`, of words in any of these styles. */
export const snakeCase = (text: string): string => joined("snakeCase", text, "_", small);

/** `some-words-here`, of words in any of these styles; letters beyond ASCII stay. */
export const kebabCase = (text: string): string => joined("kebabCase", text, "-", small);

/** Every word with a capital and the rest of it small; text between the words stays. */
export function titleCase(text: string): string {
  let made = "";
  const add = (piece: string): void => {
    made += piece.replace(LETTERS, (word) => capitalized(word));
  };
  eachPiece(takeText("titleCase", "text", text), add, isSpace);
  return made;
}
