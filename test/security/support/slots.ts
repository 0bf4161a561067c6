/** A few places that rows take turns in. */
export class Slots {
  readonly #free: number[];
  readonly #waiting: ((slot: number) => void)[] = [];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, (_, slot) => slot);
  }

  take(): Promise<number> {
    const free = this.#free.pop();
    return free === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(free);
  }

  give(slot: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next(slot);
  }
}
