interface Row {
  /** Works that wait or are under way. */
  length: number;
  /** Settles with the work at its end, never with its failure. */
  end: Promise<unknown>;
}

/** Works on the same thing, one after another in the order they came, and none in another's way that is about something else. */
export class RowsByKey {
  readonly #rows = new Map<string, Row>();
  readonly #waitingMax: number;
  readonly #refusal: () => Error;

  /** `waitingMax`: tasks of one key that may wait behind the running one; `refusal`: the error of one more. */
  constructor(waitingMax: number, refusal: () => Error) {
    this.#waitingMax = waitingMax;
    this.#refusal = refusal;
  }

  /** Keys that have works. */
  get size(): number {
    return this.#rows.size;
  }

  /** Does the work once those before it ended, however they did, and tells it whether it waited. */
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
