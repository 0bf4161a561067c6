/** How long after the last flush began the next one begins, where it waits for company; milliseconds. */
const GAP_MS = 8;
/** Items that each of the last two gaps must have brought: fewer are not worth their wait. */
const ITEMS_MIN = 4;
/** A flush of so many waits no longer. */
const ITEMS_ENOUGH = 16;

/**
 * How long a flush waits for company. Where the processors idle, or little comes, it doesn't: a wait would only be felt. Where
 * the processors are busy, each commit of one or two items takes processor time that a commit of ten takes once.
 */
export class FlushGap {
  readonly #isSaturated: () => boolean;
  #lastBegan = -Infinity;
  /** The gap that is counted now: when it began and what it brought so far. */
  #since = 0;
  #count = 0;
  /** How many items came in the two gaps before, the later one first. */
  #before: [number, number] = [0, 0];

  /** `isSaturated`: whether the processors have nothing to spare. */
  constructor(isSaturated: () => boolean) {
    this.#isSaturated = isSaturated;
  }

  /** An item came at `now`, in milliseconds of a clock that only moves forward. */
  arrived(now: number): void {
    this.#turn(now);
    this.#count += 1;
  }

  /** A flush began at `now`. */
  began(now: number): void {
    this.#lastBegan = now;
  }

  /** For how many milliseconds from `now` a flush of what waits is to wait for more; 0: it begins at once. */
  restMs(now: number, waiting: number): number {
    if (waiting >= ITEMS_ENOUGH || !this.#isSaturated()) return 0;
    this.#turn(now);
    if (Math.min(...this.#before) < ITEMS_MIN) return 0;
    return Math.max(0, this.#lastBegan + GAP_MS - now);
  }

  #turn(now: number): void {
    const gaps = Math.floor((now - this.#since) / GAP_MS);
    if (gaps === 0) return;
    if (gaps === 1) this.#before = [this.#count, this.#before[0]];
    else this.#before = [0, gaps === 2 ? this.#count : 0];
    this.#count = 0;
    this.#since += gaps * GAP_MS;
  }
}
