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

  /** What they take at once at most. */
  get capacity(): number {
    return this.#live.reduce((sum, { capacity }) => sum + capacity, 0);
  }

  get #live() {
    return [...this.#said.values()].filter(({ until }) => until > this.#now());
  }
}
