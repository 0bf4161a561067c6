import { ThreadLane, type ThreadOutcome, type ThreadProgram } from "./thread-lane.ts";

export interface ThreadPoolOptions<Job> {
  program: ThreadProgram;
  threadsMax: number;
  /** Jobs that may wait for a thread, and for how long, in milliseconds. */
  queueMax: number;
  waitMsMax: number;
  /** A thread's time for one job, in milliseconds, without waiting for the thread. */
  msMaxFor(job: Job): number;
}

interface Waiting<Job, Answer> {
  job: Job;
  /** On the monotonic clock. */
  since: number;
  finish: (outcome: ThreadOutcome<Answer>) => void;
}

/**
 * Threads that are started when first needed and kept. Jobs wait in order, `queueMax` of them at most, and one
 * whose turn comes after `waitMsMax` is not done any more.
 */
export class ThreadPool<Job, Answer> {
  readonly #options: ThreadPoolOptions<Job>;
  readonly #lanes = new Set<ThreadLane<Job, Answer>>();
  readonly #waiting: Waiting<Job, Answer>[] = [];
  #closed = false;

  constructor(options: ThreadPoolOptions<Job>) {
    this.#options = options;
  }

  /** Never rejects. */
  run(job: Job): Promise<ThreadOutcome<Answer>> {
    if (this.#closed || this.#waiting.length >= this.#options.queueMax)
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
      if (next) void lane.run(next.job, this.#options.msMaxFor(next.job)).then(next.finish);
    }
    const starting = lanes.filter((lane) => lane.state === "starting").length;
    if (this.#waiting.length > starting && lanes.length < this.#options.threadsMax) this.#openLane();
  }

  #takeNext(): Waiting<Job, Answer> | undefined {
    for (;;) {
      const next = this.#waiting.shift();
      if (!next || performance.now() - next.since <= this.#options.waitMsMax) return next;
      next.finish({ outcome: "unavailable" });
    }
  }

  #openLane(): void {
    const lane: ThreadLane<Job, Answer> = new ThreadLane(this.#options.program, (before) => {
      if (lane.state === "gone") this.#lanes.delete(lane);
      // Threads that don't start would otherwise be tried for ever; so each failure costs one job.
      if (lane.state === "ending" && before === "starting")
        this.#waiting.shift()?.finish({ outcome: "unavailable" });
      if (lane.state !== "working") this.#dispatch();
    });
    this.#lanes.add(lane);
  }
}
