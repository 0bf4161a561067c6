import { INTERVAL_MS_MIN, TIMERS_MAX } from "./bounds.ts";

/** The clock behind a run's timers: the guest keeps the functions, the host only rings. */
export class Timers {
  readonly #waiting = new Map<number, NodeJS.Timeout>();
  readonly #ring: (id: number) => Promise<void>;

  constructor(ring: (id: number) => Promise<void>) {
    this.#ring = ring;
  }

  /** False if more wait than the guest allows, which only a tampered guest would ask for. */
  start(id: number, ms: number, repeat: boolean): boolean {
    if (this.#waiting.size >= TIMERS_MAX) return false;
    this.#arm(id, repeat ? Math.max(INTERVAL_MS_MIN, ms) : ms, repeat);
    return true;
  }

  clear(id: number): void {
    clearTimeout(this.#waiting.get(id));
    this.#waiting.delete(id);
  }

  clearAll(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #arm(id: number, ms: number, repeat: boolean): void {
    const timer = setTimeout(() => {
      if (!repeat) this.#waiting.delete(id);
      // The next ring waits until this one was heard, so that a slow tool can't pile them up.
      void this.#ring(id).then(() => {
        if (repeat && this.#waiting.get(id) === timer) this.#arm(id, ms, repeat);
      });
    }, ms);
    this.#waiting.set(id, timer);
  }
}
