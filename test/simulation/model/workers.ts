/** Slots that are handed out for each slot of a live worker. */
const READY_SHARE = 1.25;

/** What live workers say of themselves. */
export class Workers {
  readonly #now: () => number;
  readonly #said = new Map<string, { slots: number; capacity: number; until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  say(worker: string, slots: number, capacity: number, forMs: number): void {
    this.#said.set(worker, { slots, capacity, until: this.#now() + forMs });
  }

  withdraw(worker: string): void {
    this.#said.delete(worker);
  }

  /** What they offer, which is less than they take where their processors are saturated. */
  get slots(): number {
    return this.#live.reduce((sum, { slots }) => sum + slots, 0);
  }

  /** What may be in flight. */
  get reach(): number {
    return Math.ceil(this.slots * READY_SHARE);
  }

  /** What might be, if none were saturated; nothing where none is live. */
  get reachAtRest(): number {
    const capacity = this.#live.reduce((sum, said) => sum + said.capacity, 0);
    return this.slots > 0 ? Math.ceil(capacity * READY_SHARE) : 0;
  }

  get #live() {
    return [...this.#said.values()].filter(({ until }) => until > this.#now());
  }
}
