import { THREAD_QUEUE_MAX, THREADS_MAX } from "./bounds.ts";
import { PageLane, type Reading } from "./page-lane.ts";
import type { PageJob } from "./read-page.ts";

/** Reads pages away from this thread: a hostile one costs time and memory of a thread that can be ended. */
export class PageReader {
  readonly #idle: PageLane[] = [];
  readonly #lanes = new Set<PageLane>();
  readonly #waiting: ((lane: PageLane | null) => void)[] = [];
  #closed = false;

  /** Never rejects. */
  async read(job: PageJob): Promise<Reading> {
    const lane = await this.#take();
    if (lane === null) return { outcome: "unavailable" };
    try {
      return await lane.read(job);
    } finally {
      this.#giveBack(lane);
    }
  }

  /** Answers what waits and what is under way with `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const next of this.#waiting.splice(0)) next(null);
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
  }

  #take(): PageLane | null | Promise<PageLane | null> {
    if (this.#closed || this.#waiting.length >= THREAD_QUEUE_MAX) return null;
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#lanes.size < THREADS_MAX) return this.#open();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #open(): PageLane {
    const lane = new PageLane();
    this.#lanes.add(lane);
    return lane;
  }

  #giveBack(lane: PageLane): void {
    if (lane.isGone) this.#lanes.delete(lane);
    if (this.#closed) return;
    const next = this.#waiting.shift();
    if (next) next(lane.isGone ? this.#open() : lane);
    else if (!lane.isGone) this.#idle.push(lane);
  }
}
