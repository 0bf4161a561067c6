/**
 * Gathers the requests of one turn of the event loop and handles them together, at most `sizeMax` at once: callers that
 * were answered together (a group commit) then cost one round trip, and a lone one waits for nothing. Those of one batch
 * share its failure.
 */
export class Batch<T> {
  readonly #sizeMax: number;
  readonly #run: (items: T[]) => Promise<void>;
  #waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];

  constructor(sizeMax: number, run: (items: T[]) => Promise<void>) {
    this.#sizeMax = sizeMax;
    this.#run = run;
  }

  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length === 1) queueMicrotask(() => this.#flush());
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += this.#sizeMax) {
      const part = waiting.slice(from, from + this.#sizeMax);
      this.#run(part.map(({ item }) => item)).then(
        () => part.forEach(({ resolve }) => resolve()),
        (error: unknown) => part.forEach(({ reject }) => reject(error)),
      );
    }
  }
}
