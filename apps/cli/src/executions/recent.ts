/** The last ids that were seen, as many as a bound says. */
export class Recent {
  readonly #ids = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** True where it was not among them. */
  isNew(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    // A set gives them in the order in which they came.
    for (const oldest of this.#ids) {
      if (this.#ids.size <= this.#max) break;
      this.#ids.delete(oldest);
    }
    return true;
  }
}
