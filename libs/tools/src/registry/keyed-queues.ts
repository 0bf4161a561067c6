interface Queue {
  /** Tasks that wait or run. */
  length: number;
  /** Resolves with the end of the last task, even if it fails. */
  end: Promise<unknown>;
}

/** Runs tasks of one key one after another, in the order they came; tasks of different keys don't wait for each other. */
export class KeyedQueues {
  readonly #queues = new Map<string, Queue>();
  readonly #waitingMax: number;
  readonly #refusal: () => Error;

  /** `waitingMax`: tasks of one key that may wait behind the running one; `refusal`: the error of one more. */
  constructor(waitingMax: number, refusal: () => Error) {
    this.#waitingMax = waitingMax;
    this.#refusal = refusal;
  }

  /** Keys that have tasks. */
  get size(): number {
    return this.#queues.size;
  }

  /** Does the work once those before it have ended, in any way, and tells it whether it waited. */
  inTurn<T>(key: string, work: (waited: boolean) => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { length: 0, end: Promise.resolve() };
    if (queue.length > this.#waitingMax) return Promise.reject(this.#refusal());
    const waited = queue.length > 0;
    this.#queues.set(key, queue);
    queue.length += 1;
    const done = queue.end
      .then(() => work(waited))
      .finally(() => {
        queue.length -= 1;
        if (queue.length === 0) this.#queues.delete(key);
      });
    queue.end = done.catch(() => undefined);
    return done;
  }
}
