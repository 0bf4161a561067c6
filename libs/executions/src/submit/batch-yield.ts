import { setTimeout as delay } from "node:timers/promises";

/** For so long after a call that came alone, lists yield to its like. Milliseconds. */
const LATELY_MS = 1_000;
/** How long a pause is for each millisecond of the work before it: others have two thirds of the time. */
const PAUSE_PER_MS = 2;
const PAUSE_MS_MAX = 250;

/** Milliseconds of a clock that only moves forward. */
type Now = () => number;
/** Resolves after so many milliseconds. */
type Pause = (ms: number) => Promise<unknown>;

/**
 * Lets calls that come alone through between the parts of a long list: a batch of 1,000 keeps the database and this process
 * busy for 100 ms, and one who sends batches without end, all the time. Where nobody else has called lately, a list goes on
 * at once. One for each process.
 */
export class BatchYield {
  readonly #now: Now;
  readonly #pause: Pause;
  #cameAt = Number.NEGATIVE_INFINITY;

  constructor(now: Now = () => performance.now(), pause: Pause = delay) {
    this.#now = now;
    this.#pause = pause;
  }

  /** A call came alone. */
  came(): void {
    this.#cameAt = this.#now();
  }

  /** To be called when a list begins; what it answers is to be awaited after each of the list's parts. */
  begin(): () => Promise<void> {
    let partBeganAt = this.#now();
    return async () => {
      const now = this.#now();
      const pauseMs = Math.min(PAUSE_MS_MAX, (now - partBeganAt) * PAUSE_PER_MS);
      if (now - this.#cameAt < LATELY_MS) await this.#pause(pauseMs);
      partBeganAt = this.#now();
    };
  }
}
