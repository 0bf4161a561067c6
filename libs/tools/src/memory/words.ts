/** Words of a query that are looked for, and characters of a word that count. */
const WORD_CHARS_MAX = 64;

/** Scripts that are written without spaces between words: there each two letters that stand together are one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/**
 * The words of a text of any language, without their case and Latin accents, in their order. No word is left out and none is cut
 * to its stem: either is of one language alone.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
  const words = plain.match(WORD) ?? [];
  if (plain.search(UNSPACED) !== -1) return words.flatMap(splitUnspaced);
  return words.map(shortened);
}

const shortened = (word: string): string =>
  word.length > WORD_CHARS_MAX ? word.slice(0, WORD_CHARS_MAX) : word;

function splitUnspaced(run: string): string[] {
  const words: string[] = [];
  const spaced = run.replaceAll(UNSPACED, (letters) => {
    words.push(...pairsOf(letters));
    return " ";
  });
  return [
    ...words,
    ...spaced
      .split(" ")
      .filter((word) => word !== "")
      .map(shortened),
  ];
}

function pairsOf(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, n) => `${letters[n]}${letter}`);
}

/** FNV-1a over UTF-16 units, mixed as MurmurHash3 ends, so that each bit tells of the whole; `seed` makes it another hash. */
export function hashOf(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
