import type { Report } from "@bulkhead/executions";

/** Does something again and again, never twice at once; a failure is reported, and the next turn tries again. */
export class Repeating {
  readonly #what: string;
  readonly #everyMs: number;
  readonly #step: () => Promise<void>;
  readonly #report: Report;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  /** `firstMs`: how soon the first turn comes; as long as between two when unset. */
  constructor(
    what: string,
    everyMs: number,
    step: () => Promise<void>,
    report: Report,
    { firstMs = everyMs }: { firstMs?: number } = {},
  ) {
    this.#what = what;
    this.#everyMs = everyMs;
    this.#step = step;
    this.#report = report;
    this.#schedule(firstMs);
  }

  /** Waits for the turn under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  #schedule(afterMs: number): void {
    if (this.#closed) return;
    // A little uneven, so that many workers don't step together.
    const ms = afterMs * (0.9 + Math.random() * 0.2);
    this.#timer = setTimeout(() => {
      this.#turn = this.#step()
        .catch((error: unknown) => this.#report(`${this.#what} failed`, error))
        .then(() => this.#schedule(this.#everyMs));
    }, ms);
  }
}
