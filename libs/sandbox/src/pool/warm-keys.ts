/** Isolates that a sandbox keeps warm; a guess here costs a millisecond, not an error. */
const WARM_KEYS_MAX = 4;

/** The isolates that a process used last, and so most likely still has. */
export class WarmKeys {
  readonly #keys = new Set<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  used(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= WARM_KEYS_MAX) break;
      this.#keys.delete(oldest);
    }
  }
}
