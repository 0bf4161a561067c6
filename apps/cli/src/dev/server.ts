import { BulkheadError } from "@bulkhead/client";
import { setTimeout as delay } from "node:timers/promises";

/** Between two questions to a server that does not answer; milliseconds. */
const AGAIN_MS = 1_000;
const TOO_MANY = 429;
const SERVER_FAULT = 500;

/** Whether asking again later may help, whatever is asked. */
export const isAway = (error: unknown): error is BulkheadError =>
  error instanceof BulkheadError &&
  (error.status === 0 || error.status === TOO_MANY || error.status >= SERVER_FAULT);

/** Does work that asks the server until it answers; that it is away is told once, and so is that it is back. */
export class Server {
  readonly #tell: (message: string | null) => void;
  readonly #signal: AbortSignal;
  readonly #againMs: number;
  #isAway = false;

  /** `tell` hears why the server can't be asked, and null when it can be again. */
  constructor(tell: (message: string | null) => void, signal: AbortSignal, againMs = AGAIN_MS) {
    this.#tell = tell;
    this.#signal = signal;
    this.#againMs = againMs;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Rejects with what is no matter of time, and with the reason of a signal that ends the waiting. */
  async untilAnswered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const ends = AbortSignal.any([signal, this.#signal]);
    for (;;) {
      ends.throwIfAborted();
      try {
        const answer = await work();
        this.#is(false, null);
        return answer;
      } catch (error) {
        if (!isAway(error)) throw error;
        this.#is(true, error.message);
      }
      await delay(this.#againMs, null, { signal: ends }).catch(() => undefined);
    }
  }

  #is(away: boolean, message: string | null): void {
    if (away === this.#isAway) return;
    this.#isAway = away;
    this.#tell(message);
  }
}
