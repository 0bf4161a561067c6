import { LRUCache } from "lru-cache";

/** Of so many owners the last mark is known. One that is let go of costs a load, never a stale answer. */
const OWNERS_MAX = 10_000;

/**
 * The second way to hear of changes, for who can't wait until a word arrives: each owner's latest change leaves a mark in a
 * place that all processes ask, and at the first sight of a mark everything that was remembered of the owner is forgotten.
 */
export class SeenMarks {
  readonly #forget: (owner: string) => void;
  readonly #marks = new LRUCache<string, string>({ max: OWNERS_MAX });

  constructor(forget: (owner: string) => void) {
    this.#forget = forget;
  }

  /** Null where the owner's latest change is older than anything that is remembered. */
  see(owner: string, mark: string | null): void {
    if (mark === null || this.#marks.get(owner) === mark) return;
    this.#forget(owner);
    this.#marks.set(owner, mark);
  }
}
