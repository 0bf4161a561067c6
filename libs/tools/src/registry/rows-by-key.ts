interface Row {
  /** Tasks that wait or run. */
  length: number;
  /** Resolves with the end of the last task, even if it fails. */
  end: Promise<unknown>;
}

/** Runs tasks of one key one after another, in the order they came; tasks of different keys don't wait for each other. */
export class RowsByKey {
  readonly #rows = new Map<string, Row>();
  readonly #waitingMax: number;
  readonly #refusal: () => Error;

  /** `waitingMax`: tasks of one key that may wait behind the running one; `refusal`: the error of one more. */
  constructor(waitingMax: number, refusal: () => Error) {
    this.#waitingMax = waitingMax;
    this.#refusal = refusal;
  }

  /** Keys that have tasks. */
  get size(): number {
    return this.#rows.size;
  }

  /** Does the work once those before it have ended, in any way, and tells it whether it waited. */
  inTurn<T>(key: string, work: (waited: boolean) => Promise<T>): Promise<T> {
    const row = this.#rows.get(key) ?? { length: 0, end: Promise.resolve() };
    if (row.length > this.#waitingMax) return Promise.reject(this.#refusal());
    const waited = row.length > 0;
    this.#rows.set(key, row);
    row.length += 1;
    const done = row.end
      .then(() => work(waited))
      .finally(() => {
        row.length -= 1;
        if (row.length === 0) this.#rows.delete(key);
      });
    row.end = done.catch(() => undefined);
    return done;
  }
}
