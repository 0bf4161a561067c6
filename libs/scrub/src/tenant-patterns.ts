import { REDACTED } from "@bulkhead/core";
import type { RE2JS } from "@bulkhead/process/patterns";
import { MATCH_LETTERS_MAX } from "./check-pattern.ts";
import type { TenantPattern } from "./pattern-cache.ts";

/** For how long the patterns of one execution may run, all its texts together. Milliseconds. */
export const PATTERNS_MS_MAX = 200;
/** The kind under which texts are counted that were covered whole, because the time for searching was over. */
export const UNSEARCHED = "unsearched";

/** A search can't be interrupted, so it only sees the matches that begin in so many characters. */
const WINDOW_CHARS = 2_048;
/** To search so few takes less than to look at the clock. */
const SHORT_CHARS = 64;
/** A letter may be two characters of UTF-16. */
const OVERLAP_CHARS = 2 * MATCH_LETTERS_MAX;

/** A tenant's patterns in one execution. When their time is over each text is covered whole: nothing leaves unsearched. */
export class TenantPatterns {
  readonly #patterns: readonly TenantPattern[];
  readonly #count: (name: string) => void;
  readonly #nowMs: () => number;
  #leftMs: number;

  constructor(
    patterns: readonly TenantPattern[],
    count: (name: string) => void,
    nowMs: () => number,
    leftMs = PATTERNS_MS_MAX,
  ) {
    this.#patterns = patterns;
    this.#count = count;
    this.#nowMs = nowMs;
    this.#leftMs = leftMs;
  }

  /** The rest of their time; milliseconds. */
  get leftMs(): number {
    return this.#leftMs;
  }

  /** Subtracts the time that they used elsewhere. */
  spend(ms: number): void {
    this.#leftMs -= ms;
  }

  get areNone(): boolean {
    return this.#patterns.length === 0;
  }

  /** Covers the matches of the patterns, one after another, between ranges that are covered already. */
  cover(text: string): string {
    if (this.areNone || text === "" || text === REDACTED) return text;
    const startedMs = this.#nowMs();
    const endMs = startedMs + this.#leftMs;
    const isLate = (): boolean => this.#nowMs() >= endMs;
    let said: string | null = this.#leftMs > 0 ? text : null;
    for (const pattern of this.#patterns) if (said !== null) said = this.#coverOne(said, pattern, isLate);
    this.#leftMs -= this.#nowMs() - startedMs;
    if (said === null) this.#count(UNSEARCHED);
    return said ?? REDACTED;
  }

  /** Null when it is late. */
  #coverOne(text: string, { name, compiled }: TenantPattern, isLate: () => boolean): string | null {
    const parts: string[] = [];
    for (const part of text.split(REDACTED)) {
      const covered = coverPart(part, compiled, isLate, () => this.#count(name));
      if (covered === null) return null;
      parts.push(covered);
    }
    return parts.join(REDACTED);
  }
}

/** Finds the same as one search of the whole text: no match is longer than the overlap of windows. */
function coverPart(text: string, compiled: RE2JS, isLate: () => boolean, count: () => void): string | null {
  let said = "";
  let at = 0;
  while (at < text.length) {
    if (text.length > SHORT_CHARS && isLate()) return null;
    const windowEnd = endOfWindow(text, at);
    const matcher = compiled.matcher(text.slice(at, windowEnd + OVERLAP_CHARS));
    const from = at;
    while (matcher.find() && from + matcher.start() < windowEnd) {
      said += text.slice(at, from + matcher.start()) + REDACTED;
      at = from + matcher.end();
      count();
      if (isLate()) return null;
    }
    if (at >= windowEnd) continue;
    said += text.slice(at, windowEnd);
    at = windowEnd;
  }
  return said;
}

/** Never splits a surrogate pair, whose halves would count as letters. */
function endOfWindow(text: string, from: number): number {
  const end = Math.min(text.length, from + WINDOW_CHARS);
  return end < text.length && text.codePointAt(end - 1)! > 0xffff ? end + 1 : end;
}
