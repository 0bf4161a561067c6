import type { ScrubbedLine } from "@bulkhead/core";
import { Coverage } from "./coverage.ts";
import { KEY_BLOCK_CHARS_MAX } from "./find-structure.ts";
import { KEYWORD_CHARS_MAX, scanPatterns } from "./pattern-scan.ts";
import type { ScrubMeans } from "./scrub-string.ts";

/** Held text is searched again when it has grown by this share, so that each character is searched a few times. */
const GROWTH = 1 / 8;

/** A shorter beginning may be any word at the end of a line: some keywords have two letters. */
const BEGUN_CHARS_MIN = 8;

/**
 * Covers patterns in lines whose values are covered. A line is held only while a token has begun in it, after its keyword, and
 * is too short yet to be one; a token that is long enough ends with its line.
 */
export class PatternLines {
  readonly #means: () => ScrubMeans;
  /** The end of the released text, where a keyword may have begun. */
  #before = "";
  #held: ScrubbedLine[] = [];
  #text = "";
  #lookedAtChars = 0;

  constructor(means: () => ScrubMeans) {
    this.#means = means;
  }

  push(lines: readonly ScrubbedLine[]): ScrubbedLine[] {
    if (lines.length === 0) return [];
    this.#held.push(...lines);
    this.#text += lines.map(({ text }) => text).join("");
    return this.#text.length < this.#lookedAtChars * (1 + GROWTH) ? [] : this.#look("wait");
  }

  /**
   * Releases all lines. A token that has begun at the end is covered as far as it goes, and continues in the next lines.
   */
  settle(): ScrubbedLine[] {
    return this.#look("cover");
  }

  end(): ScrubbedLine[] {
    return this.#look("ended");
  }

  /** Searches the held text. A token that has only begun waits for the rest, is covered, or is known to have no rest. */
  #look(begun: "wait" | "cover" | "ended"): ScrubbedLine[] {
    const text = this.#before + this.#text;
    const covered = new Coverage();
    const cuts = this.#listCuts();
    const found: { name: string; end: number }[] = [];
    const sight = { text, isOpen: begun !== "ended", cuts };
    const pieces = this.#means().told?.pieces ?? null;
    const openFrom = scanPatterns(sight, pieces, covered, (name) => found.push({ name, end: covered.end }));
    if (openFrom !== -1 && begun === "wait" && text.length - openFrom >= KEY_BLOCK_CHARS_MAX)
      return this.#look("ended");
    const waits = openFrom !== -1 && begun === "wait";
    const gone = waits ? countBefore(openFrom, cuts, covered) : this.#held.length;
    for (const { name, end } of found) if (end <= cuts[gone]!) this.#means().count(name);
    if (!waits && openFrom !== -1 && text.length - openFrom >= BEGUN_CHARS_MIN)
      covered.add(openFrom, text.length);
    const lines = this.#letGo(gone, text, covered, cuts);
    if (!waits && openFrom !== -1) this.#before = text.slice(openFrom).slice(-KEY_BLOCK_CHARS_MAX);
    return lines;
  }

  /** The positions at which one line goes over into the next. */
  #listCuts(): number[] {
    let at = this.#before.length;
    const cuts = [at];
    for (const { text } of this.#held) cuts.push((at += text.length));
    return cuts;
  }

  /** The first so many lines; with the others it waits. */
  #letGo(count: number, text: string, covered: Coverage, cuts: readonly number[]): ScrubbedLine[] {
    const [from, end] = [cuts[0]!, cuts[count]!];
    this.#lookedAtChars = text.length - end;
    if (count === 0 && this.#held.length > 0) return [];
    // A mark that belongs into released text is made in the first held line.
    covered.clip(from);
    const lines = this.#held.splice(0, count).map(({ index, text: line }, i) => ({
      index,
      text: covered.apply(line, cuts[i]!),
    }));
    const rest = text.slice(covered.ends.findLast((place) => place <= end) ?? 0, end);
    this.#before = rest.slice(-KEYWORD_CHARS_MAX);
    this.#text = text.slice(end);
    return lines;
  }
}

/** How many lines before this place are not joined with the next one by a mark over both. */
function countBefore(place: number, cuts: readonly number[], { starts, ends }: Coverage): number {
  let count = cuts.findLastIndex((cut) => cut <= place);
  while (count > 0 && starts.some((start, i) => start < cuts[count]! && ends[i]! > cuts[count]!)) count -= 1;
  return Math.max(0, count);
}
