/** For how long at least one of a run's effects was under way: those that overlap count once. */
export class HostClock {
  #open = 0;
  #since = 0;
  #usedMs = 0;
  #wasUsed = false;

  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  /** Milliseconds so far; an effect that outlives its run counts until now. */
  get usedMs(): number {
    return this.#open > 0 ? this.#usedMs + performance.now() - this.#since : this.#usedMs;
  }

  /** Counts until the effect is answered; returns its answer. */
  async during<Answer>(effect: Promise<Answer>): Promise<Answer> {
    this.#wasUsed = true;
    if (this.#open++ === 0) this.#since = performance.now();
    try {
      return await effect;
    } finally {
      if (--this.#open === 0) this.#usedMs += performance.now() - this.#since;
    }
  }
}
