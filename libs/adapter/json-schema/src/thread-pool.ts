import { THREAD_MS_PER_NODE, THREAD_QUEUE_MAX, THREAD_WAIT_MS_MAX } from "./bounds.ts";
import type { CheckJob } from "./check-job.ts";
import { ThreadLane, type ThreadOutcome } from "./thread-lane.ts";

export interface ThreadPoolOptions {
  threadsMax: number;
  /** A thread's time for one job, in milliseconds, without waiting for the thread and compiling. */
  jobMsMax: number;
}

interface Waiting {
  job: CheckJob;
  /** On the monotonic clock. */
  since: number;
  finish: (outcome: ThreadOutcome) => void;
}

/**
 * Threads that are started when first needed and kept. Jobs wait in order, `THREAD_QUEUE_MAX` of them at most, and one
 * whose turn comes after `THREAD_WAIT_MS_MAX` is not done any more.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #lanes = new Set<ThreadLane>();
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  run(job: CheckJob): Promise<ThreadOutcome> {
    if (this.#closed || this.#waiting.length >= THREAD_QUEUE_MAX)
      return Promise.resolve({ outcome: "unavailable" });
    return new Promise((finish) => {
      this.#waiting.push({ job, since: performance.now(), finish });
      this.#dispatch();
    });
  }

  /** Answers what waits with `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { finish } of this.#waiting.splice(0)) finish({ outcome: "unavailable" });
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
  }

  #dispatch(): void {
    if (this.#closed) return;
    const lanes = [...this.#lanes];
    for (const lane of lanes) {
      const next = lane.state === "idle" ? this.#takeNext() : undefined;
      if (next) void lane.run(next.job, this.#msMaxFor(next.job)).then(next.finish);
    }
    const starting = lanes.filter((lane) => lane.state === "starting").length;
    if (this.#waiting.length > starting && lanes.length < this.#options.threadsMax) this.#openLane();
  }

  #takeNext(): Waiting | undefined {
    for (;;) {
      const next = this.#waiting.shift();
      if (!next || performance.now() - next.since <= THREAD_WAIT_MS_MAX) return next;
      next.finish({ outcome: "unavailable" });
    }
  }

  #msMaxFor({ inspection }: CheckJob): number {
    return this.#options.jobMsMax + inspection.nodes * THREAD_MS_PER_NODE;
  }

  #openLane(): void {
    const lane: ThreadLane = new ThreadLane((before) => {
      if (lane.state === "gone") this.#lanes.delete(lane);
      // Threads that don't start would otherwise be tried for ever; so each failure costs one job.
      if (lane.state === "ending" && before === "starting")
        this.#waiting.shift()?.finish({ outcome: "unavailable" });
      if (lane.state !== "working") this.#dispatch();
    });
    this.#lanes.add(lane);
  }
}
