/** A rate by GCRA: `perSecond` in the long run, `burst` at once after a pause. */
export interface Rate {
  perSecond: number;
  burst: number;
}

const intervalOf = ({ perSecond }: Rate): number => 1_000 / perSecond;

/** The theoretical arrival times of one rate; moments in milliseconds. */
export class Arrivals {
  #next = 0;

  /** From when on the next one may come. */
  readyAt(rate: Rate): number {
    return this.#next - (rate.burst - 1) * intervalOf(rate);
  }

  take(rate: Rate, now: number): void {
    this.#next = Math.max(now, this.#next) + intervalOf(rate);
  }

  /** How many of the rate's own intervals lie before the next arrival. */
  debtMs(now: number): number {
    return Math.max(0, this.#next - now);
  }

  /** What was given away stays given away, at most a burst of it. */
  change(from: Rate, to: Rate, now: number): void {
    const debt = (this.debtMs(now) * intervalOf(to)) / intervalOf(from);
    this.#next = now + Math.min(debt, to.burst * intervalOf(to));
  }

  /** A look ahead: as if `count` more had come. */
  ahead(rate: Rate, count: number, now: number): Arrivals {
    const later = new Arrivals();
    later.#next = Math.max(now, this.#next) + count * intervalOf(rate);
    return later;
  }
}
