/** Share of the processors that is idle, at or below which more at once would only make everyone wait. */
const SATURATED = 0.05;
/** Above this share many more may run at once; in between one more at each look. */
const ROOMY = 0.15;
const SHRINK = 0.7;
const GROW = 1.4;

export interface AdaptiveSlotsInput {
  /** The slots that are offered as long as the machine has headroom; at least 1. */
  max: number;
  /** The slots that are offered however busy the machine is, unless `max` is less. */
  min: number;
}

/**
 * How many attempts a worker takes at once: multiplicative decrease while the processors are saturated, increase while
 * they idle. Past saturation another slot adds no throughput; it only lengthens every run's wait for a processor, a quiet
 * tenant's too, and loosens the fairness bound, which grows with the slots.
 */
export class AdaptiveSlots {
  readonly #max: number;
  readonly #min: number;
  #offered: number;

  constructor({ max, min }: AdaptiveSlotsInput) {
    this.#max = max;
    this.#min = Math.min(min, max);
    this.#offered = max;
  }

  /**
   * One adjustment: `headroom` is the idle share of the processors since the last one, `lasting` the number of runs that
   * have gone on for long. Those count beside the offered slots: runs that wait for the outside must not keep others out.
   */
  look(headroom: number, lasting: number): number {
    if (headroom <= SATURATED) this.#offered = Math.max(this.#min, Math.floor(this.#offered * SHRINK));
    else
      this.#offered = Math.min(
        this.#max,
        headroom > ROOMY ? Math.ceil(this.#offered * GROW) : this.#offered + 1,
      );
    return Math.min(this.#max, this.#offered + lasting);
  }
}
