import { availableParallelism } from "node:os";

/** The share of all processors that may go into starts for tenants that have a process, while others are content. */
const GROWTH_SHARE = 1 / 8;
/** What a start takes where none has been seen, and the longest time between two however slow they are. Milliseconds. */
const START_MS = 75;
const GROWTH_MS_MAX = 1_000;

/**
 * Paces how fast tenants that have a process are given more while others have all that they want. A start is computing alone: a tenant that
 * comes with 10,000 runs at once would have both processors of a small machine start its processes, and everyone would wait
 * for that. One for each pool.
 */
export class GrowthPace {
  readonly #processors: number;
  #grownAt = Number.NEGATIVE_INFINITY;

  constructor(processors: number = availableParallelism()) {
    this.#processors = processors;
  }

  /** `startMs` is what a start takes at present, 0 where that is not known. `now` is of any clock that only goes forward. */
  allows(now: number, startMs: number): boolean {
    const everyMs = (startMs || START_MS) / (GROWTH_SHARE * this.#processors);
    return now - this.#grownAt >= Math.min(everyMs, GROWTH_MS_MAX);
  }

  /** A tenant that had a process was given another. */
  grew(now: number): void {
    this.#grownAt = now;
  }
}
