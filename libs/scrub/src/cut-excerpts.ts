import type { Needle } from "@bulkhead/core";
import type { Found } from "./find-named.ts";

/** So few characters of a value reveal nothing of it; any text has them by chance. */
const PIECE_CHARS = 4;
/** The message of `JSON.parse`: ten characters before and after the place, with dots where it has left something out. */
const JSON_EXCERPT = /[^]{1,8}?', (\.\.\.)?\\{0,3}"([^]{0,120}?)\\{0,3}"(\.\.\.)? is not valid JSON/dy;
/** The engine shows the first 100 characters of a value that is no function. */
const LEFT_OUT = "<...>";
const STRING_CHARS_MAX = 100;

/** The words before an excerpt of a text in the engine's own messages. */
export const EXCERPT_KEYWORDS = ["Unexpected token '", 'string "', 'string \\"'];

/**
 * All pieces of some values, to tell whether a text that was cut off may be of one of them. Short and common values are left
 * out, since their pieces stand in any text.
 */
export class ValuePieces {
  readonly #needles: readonly Needle[];
  /** Null until something is asked: almost no execution says anything that was cut off. */
  #known: Set<string> | null = null;

  constructor(needles: readonly Needle[]) {
    this.#needles = needles;
  }

  /** How much of the start of a text may be the end, or the middle, of a value. */
  charsAtStart(text: string): number {
    let at = 0;
    while (this.#pieces.has(text.slice(at, at + PIECE_CHARS))) at++;
    return at === 0 ? 0 : at + PIECE_CHARS - 1;
  }

  charsAtEnd(text: string): number {
    let end = text.length;
    while (end >= PIECE_CHARS && this.#pieces.has(text.slice(end - PIECE_CHARS, end))) end--;
    return end === text.length ? 0 : text.length - end + PIECE_CHARS - 1;
  }

  get #pieces(): Set<string> {
    return (this.#known ??= new Set(this.#needles.flatMap(listPieces)));
  }
}

/** Leaves out pieces with a bracket: a mark must stay as it is. */
function listPieces({ value, wholeWordsOnly }: Needle): string[] {
  if (wholeWordsOnly || value.length < PIECE_CHARS) return [];
  return Array.from({ length: value.length - PIECE_CHARS + 1 }, (_, at) =>
    value.slice(at, at + PIECE_CHARS),
  ).filter((piece) => !/[[\]]/.test(piece));
}

/** A possible piece of a value in the excerpt after the keyword that ends at `from`, where the engine cut it off. */
export function findCutPiece(text: string, from: number, pieces: ValuePieces): Found | null {
  const excerpt = findExcerpt(text, from);
  if (!excerpt) return null;
  const { start, end } = excerpt;
  const said = text.slice(start, end);
  const before = excerpt.isCutBefore ? pieces.charsAtStart(said) : 0;
  const after = excerpt.isCutAfter ? pieces.charsAtEnd(said) : 0;
  if (before + after === 0) return null;
  return { start: before > 0 ? start : end - after, end: after > 0 ? end : start + before };
}

function findExcerpt(
  text: string,
  from: number,
): (Found & { isCutBefore: boolean; isCutAfter: boolean }) | null {
  JSON_EXCERPT.lastIndex = from;
  const match = JSON_EXCERPT.exec(text);
  if (match) {
    const [start, end] = match.indices![2]!;
    return { start, end, isCutBefore: match[1] !== undefined, isCutAfter: match[3] !== undefined };
  }
  const chars = text.slice(from, from + STRING_CHARS_MAX + LEFT_OUT.length).indexOf(LEFT_OUT);
  return chars < 0 ? null : { start: from, end: from + chars, isCutBefore: false, isCutAfter: true };
}
