import type { RunNews, RunNewsLoss } from "@bulkhead/core";
import type { RunMessage } from "./run-message.ts";
import { Bell } from "./tenant-events-bell.ts";
import { CHECK_MS } from "./names.ts";
import { RUNS_HELD_MAX } from "./tenant-events-names.ts";

/** What one follower has still to be told of a tenant's executions: a bounded number, and how many were dropped. */
export class RunFollower {
  readonly #onDropped: (count: number) => void;
  readonly #bell = new Bell();
  readonly #held: RunNews[] = [];
  #dropped = 0;
  #isLossUnknown = false;

  /** `onDropped` is told of what this follower was too slow for. */
  constructor(onDropped: (count: number) => void) {
    this.#onDropped = onDropped;
  }

  take({ news, dropped }: RunMessage): void {
    const taken = news.slice(0, RUNS_HELD_MAX - this.#held.length);
    this.#held.push(...taken);
    const missed = news.length - taken.length;
    if (missed > 0) this.#onDropped(missed);
    this.#dropped += dropped + missed;
    this.#bell.ring();
  }

  /** Messages were lost, and nobody knows how many. */
  missedSome(): void {
    this.#isLossUnknown = true;
    this.#bell.ring();
  }

  /** Yields what comes until `signal`; a loss after the news that were there before it. */
  async *read(signal: AbortSignal): AsyncGenerator<RunNews | RunNewsLoss, void, undefined> {
    const stop = (): void => this.#bell.ring();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        this.#bell.mute();
        const next = this.#held.shift() ?? this.#takeLoss();
        if (next !== null) yield next;
        else await this.#bell.wait(CHECK_MS);
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  #takeLoss(): RunNewsLoss | null {
    if (this.#dropped === 0 && !this.#isLossUnknown) return null;
    const count = this.#isLossUnknown ? {} : { count: this.#dropped };
    this.#dropped = 0;
    this.#isLossUnknown = false;
    return { type: "execution.dropped", ...count };
  }
}
