import { RecentUse } from "./recent-use.ts";
import { ThreadLane, type LaneState, type ThreadOutcome, type ThreadProgram } from "./thread-lane.ts";
import { WaitingJobs } from "./waiting-jobs.ts";

/**
 * A tenant that has used more of the threads' time lately leaves a thread to the others. One whose patterns are checked
 * (90 µs) 180 times a second, all the time, has not. Milliseconds, as `RecentUse` counts them.
 */
const LIGHT_MS_MAX = 500;

/** The charge for ending a thread, since the next one has to start; milliseconds. */
const THREAD_START_MS = 150;
/** How often it is looked at what waits, at least; milliseconds. */
const WATCH_MS = 1_000;

export interface ThreadPoolOptions<Job> {
  program: ThreadProgram;
  /** With two or more, no tenant holds them all, and nor do those together who use much. */
  threadsMax: number;
  /** Jobs that may wait for a thread: of one tenant, and of all together. */
  queueMax: { ofTenant: number; ofAll: number };
  /** How long one may wait, in milliseconds. */
  waitMsMax: number;
  /** A thread's time for one job, in milliseconds, without waiting for the thread. */
  msMaxFor(job: Job): number;
}

interface Waiting<Job, Answer> {
  tenantId: string;
  job: Job;
  /** On the monotonic clock. */
  since: number;
  finish: (outcome: ThreadOutcome<Answer>) => void;
}

/**
 * Threads that are started when first needed, kept, and shared by tenants: the next job is of the one that has used least of
 * their time lately, and what has waited for `waitMsMax` is not done any more. Where too many wait, the last one of the
 * tenant with most of them goes.
 */
export class ThreadPool<Job, Answer> {
  readonly #options: ThreadPoolOptions<Job>;
  readonly #lanes = new Set<ThreadLane<Job, Answer>>();
  readonly #waiting = new WaitingJobs<Waiting<Job, Answer>>();
  readonly #used = new RecentUse();
  /** The tenants whose jobs are in threads, once for each. */
  readonly #working: string[] = [];
  #watching: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ThreadPoolOptions<Job>) {
    this.#options = options;
  }

  /** Never rejects. */
  run(tenantId: string, job: Job): Promise<ThreadOutcome<Answer>> {
    const { ofTenant, ofAll } = this.#options.queueMax;
    const own = this.#waiting.of(tenantId);
    if (this.#closed || own >= ofTenant) return Promise.resolve({ outcome: "unavailable" });
    if (this.#waiting.size >= ofAll) {
      const gone = this.#waiting.takeFromMost(own);
      if (gone === undefined) return Promise.resolve({ outcome: "unavailable" });
      gone.finish({ outcome: "unavailable" });
    }
    return new Promise((finish) => {
      this.#waiting.push(tenantId, { tenantId, job, since: performance.now(), finish });
      this.#dispatch();
      this.#watch();
    });
  }

  /** Answers what waits with `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#watching);
    for (const { finish } of this.#waiting.takeAll()) finish({ outcome: "unavailable" });
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
  }

  #dispatch(): void {
    if (this.#closed) return;
    const lanes = [...this.#lanes];
    for (const lane of lanes) {
      const next = lane.state === "idle" ? this.#takeNext() : undefined;
      if (next) void this.#work(lane, next);
    }
    const starting = lanes.filter((lane) => lane.state === "starting").length;
    if (this.#waiting.size > starting && lanes.length < this.#options.threadsMax) this.#openLane();
  }

  async #work(lane: ThreadLane<Job, Answer>, { tenantId, job, finish }: Waiting<Job, Answer>): Promise<void> {
    const began = performance.now();
    this.#working.push(tenantId);
    const outcome = await lane.run(job, this.#options.msMaxFor(job));
    this.#working.splice(this.#working.indexOf(tenantId), 1);
    const startMs = outcome.outcome === "answered" ? 0 : THREAD_START_MS;
    this.#used.add(tenantId, performance.now() - began + startMs);
    finish(outcome);
    this.#dispatch();
  }

  #takeNext(): Waiting<Job, Answer> | undefined {
    return this.#waiting.takeLeast((tenantId) =>
      this.#mayTake(tenantId) ? this.#used.of(tenantId) : Infinity,
    );
  }

  /**
   * Whether a free thread is this tenant's to take. Who has used much lately, or is at work in one already, leaves another that
   * is there (one that starts serves nobody yet) to those who have not.
   */
  #mayTake(tenantId: string): boolean {
    if (this.#options.threadsMax === 1) return true;
    if (!this.#isHeavy(tenantId) && !this.#working.includes(tenantId)) return true;
    const ready = [...this.#lanes].filter(({ state }) => state === "idle" || state === "working").length;
    const kept = this.#working.filter((at) => at === tenantId || this.#isHeavy(at)).length;
    return ready - kept > 1;
  }

  #isHeavy(tenantId: string): boolean {
    return this.#used.of(tenantId) > LIGHT_MS_MAX;
  }

  /** Answers what has waited too long, and looks whether a tenant's use has become light, as long as anything waits. */
  #watch(): void {
    if (this.#watching !== undefined || this.#waiting.size === 0 || this.#closed) return;
    const { waitMsMax } = this.#options;
    this.#watching = setTimeout(
      () => {
        this.#watching = undefined;
        const now = performance.now();
        const late = this.#waiting.takeFirstsWhile(({ since }) => now - since >= waitMsMax);
        for (const { finish } of late) finish({ outcome: "unavailable" });
        this.#dispatch();
        this.#watch();
      },
      Math.min(waitMsMax, WATCH_MS),
    );
  }

  #openLane(): void {
    let lane: ThreadLane<Job, Answer>;
    const onChange = (before: LaneState): void => {
      if (lane.state === "gone") this.#lanes.delete(lane);
      // Threads that don't start would otherwise be tried for ever; so each failure costs one job.
      if (lane.state === "ending" && before === "starting")
        this.#waiting.takeFromMost(0)?.finish({ outcome: "unavailable" });
      // Behind a job it is dispatched where that is charged.
      if (before !== "working" && lane.state !== "working") this.#dispatch();
    };
    try {
      lane = new ThreadLane(this.#options.program, onChange);
    } catch {
      // The machine has no more threads. It is tried again as long as anything waits.
      this.#waiting.takeFromMost(0)?.finish({ outcome: "unavailable" });
      return;
    }
    this.#lanes.add(lane);
  }
}
