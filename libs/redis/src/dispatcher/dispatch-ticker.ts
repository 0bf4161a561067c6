import type { NextDue } from "./dispatcher-shard.ts";

/** How often a worker dispatches when nothing is known to become due before. Milliseconds. */
const TICK_MS = 100;
/** All workers together dispatch about so often at the most. Milliseconds. */
const TICK_MS_MIN = 10;

/** The wait before the next tick: uneven, since workers that started together would go on together. Milliseconds. */
export function tickMs({ dueInMs, workers }: NextDue, random: number): number {
  const wait = Math.max(TICK_MS_MIN * Math.max(1, workers), Math.min(TICK_MS, dueInMs ?? TICK_MS));
  return wait * (0.75 + random / 2);
}

export interface DispatchTickerInput {
  dispatchDue: () => Promise<NextDue>;
  /** Told of each failed tick; the next one comes all the same. */
  onError: (error: unknown) => void;
}

/** Dispatches again and again. Every worker does, so no leader is needed. */
export class DispatchTicker {
  readonly #input: DispatchTickerInput;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(input: DispatchTickerInput) {
    this.#input = input;
    void this.#tick();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #tick(): Promise<void> {
    let next: NextDue = { dueInMs: null, workers: 1 };
    try {
      next = await this.#input.dispatchDue();
    } catch (error) {
      if (!this.#stopped) this.#input.onError(error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#tick(), tickMs(next, Math.random()));
  }
}
