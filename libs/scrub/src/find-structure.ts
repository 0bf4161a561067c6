import type { Found } from "./find-named.ts";
import type { Sight } from "./shape.ts";

/** A key of 8,192 bits takes 6.4 KiB; a longer block is no key. */
export const KEY_BLOCK_CHARS_MAX = 16_384;
const KEY_LABEL = /[A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----/y;
const KEY_LABEL_CHARS_MAX = 56;
const END_MARK = "-----END ";
const END_LABEL = /[A-Z0-9 ]{0,48}-----/y;
const KEY_BODY = /(?:\s|\\[nr])*[A-Za-z0-9+/=]{32}(?:[A-Za-z0-9+/=]|\s|\\[nr]){0,16384}/y;

/** Private-key blocks, whole or cut off. Remembers where the next end is, so that many beginnings cost no more than one. */
export class KeyBlocks {
  readonly #sight: Sight;
  #nextEnd = -1;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** `start` is where `-----BEGIN ` begins, `from` where it has ended. */
  find(start: number, from: number): Found | "open" | null {
    const { text, isOpen } = this.#sight;
    KEY_LABEL.lastIndex = from;
    if (!KEY_LABEL.test(text)) return isOpen && text.length - from < KEY_LABEL_CHARS_MAX ? "open" : null;
    const body = KEY_LABEL.lastIndex;
    const end = this.#endAfter(body);
    if (end - start <= KEY_BLOCK_CHARS_MAX) return { start, end };
    if (isOpen && text.length - start < KEY_BLOCK_CHARS_MAX) return "open";
    KEY_BODY.lastIndex = body;
    return KEY_BODY.test(text) ? { start, end: KEY_BODY.lastIndex } : null;
  }

  #endAfter(from: number): number {
    const { text } = this.#sight;
    if (this.#nextEnd < from) {
      const found = text.indexOf(END_MARK, from);
      this.#nextEnd = found === -1 ? Infinity : found;
    }
    if (this.#nextEnd === Infinity) return Infinity;
    END_LABEL.lastIndex = this.#nextEnd + END_MARK.length;
    return END_LABEL.test(text) ? END_LABEL.lastIndex : Infinity;
  }
}

const USER_AND_PASSWORD = /[^\s/?#@:"'`<>\\[\]{}$]{0,1024}:[^\s/?#@"'`<>\\[\]{}$]{1,1024}(?=@)/y;

/** `user:password` in `scheme://user:password@host`; `from` is behind the slashes. */
export function findUrlPassword(text: string, from: number): Found | null {
  USER_AND_PASSWORD.lastIndex = from;
  return USER_AND_PASSWORD.test(text) ? { start: from, end: USER_AND_PASSWORD.lastIndex } : null;
}
