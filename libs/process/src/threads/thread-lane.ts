import { Worker } from "node:worker_threads";
import type { FromThread } from "./serve-jobs.ts";

/** A thread's time to start, in milliseconds; loading takes about 120 on a quiet machine. */
const THREAD_START_MS_MAX = 10_000;
/** So many times as long as a job's time may take what gets little of a processor, on a machine that does much else. */
const WALL_PER_CPU_MAX = 8;
/** Node 20, on which the command line runs, knows how long a thread was busy in place of what it used of a processor. */
const KNOWS_CPU = "cpuUsage" in Worker.prototype;

/** The program of a thread, which calls `serveJobs`, and its heap. */
export interface ThreadProgram {
  entry: URL;
  heapMibMax: number;
  /** Whether its thread holds the process that it is in until it is closed; true by default. */
  keepsProcess?: boolean;
}

/** How a job ended that was given to a thread. `died` is for a thread that ended itself, or used its heap up; `unavailable` for trouble of ours. */
export type ThreadOutcome<Answer> =
  | { outcome: "answered"; answer: Answer }
  | { outcome: "overran" | "died" | "unavailable" };

/** `ending` until the thread is gone: until then it still takes a processor. */
export type LaneState = "starting" | "idle" | "working" | "ending" | "gone";

/** One thread and the job it works on. It takes a job only when idle, and ends with the first that goes wrong. */
export class ThreadLane<Job, Answer> {
  #state: LaneState = "starting";
  #finish: ((outcome: ThreadOutcome<Answer>) => void) | undefined;
  /** When it must be ready, or done. */
  #timer: NodeJS.Timeout | undefined;
  /** When it is looked at how much it has used. */
  #look: NodeJS.Timeout | undefined;
  readonly #worker: Worker;
  readonly #onChange: (before: LaneState) => void;
  readonly #exited: Promise<void>;

  /** `onChange` is called after each change of state, with the state before. */
  constructor(
    { entry, heapMibMax, keepsProcess = true }: ThreadProgram,
    onChange: (before: LaneState) => void,
  ) {
    this.#onChange = onChange;
    this.#worker = new Worker(entry, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMibMax, maxYoungGenerationSizeMb: 16 },
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("message", (message: FromThread<Answer>) => this.#hear(message));
    this.#worker.on("error", () => this.#end("died"));
    this.#worker.on("exit", () => {
      this.#end("died");
      this.#move("gone");
    });
    this.#timer = setTimeout(() => this.#end("died"), THREAD_START_MS_MAX);
    // Behind the listeners, which hold it.
    if (!keepsProcess) this.#worker.unref();
  }

  get state(): LaneState {
    return this.#state;
  }

  /** Only when idle. The second half of `msMax` is processor time: asking for it costs what a small job does. */
  run(job: Job, msMax: number): Promise<ThreadOutcome<Answer>> {
    return new Promise((resolve) => {
      this.#move("working");
      this.#finish = resolve;
      this.#timer = setTimeout(() => this.#end("overran"), msMax * WALL_PER_CPU_MAX);
      void this.#limitCpu(msMax / 2, () => this.#finish === resolve);
      this.#worker.postMessage(job, []);
    });
  }

  /** Ends it when it has gone on for `msMax` by the clock and then, while `isSame`, for as long by its processor time. */
  async #limitCpu(msMax: number, isSame: () => boolean): Promise<void> {
    await this.#sleep(msMax);
    const before = await this.#readCpuMs();
    for (let left = msMax; isSame(); left = before + msMax - (await this.#readCpuMs())) {
      if (left <= 0) return this.#end("overran");
      await this.#sleep(left);
    }
  }

  /** For ever when the job has ended meanwhile. */
  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#look = setTimeout(resolve, ms);
    });
  }

  /** Also while it computes: it is interrupted for that. Zero once it has gone. */
  async #readCpuMs(): Promise<number> {
    if (!KNOWS_CPU) return this.#worker.performance.eventLoopUtilization().active;
    const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1_000;
  }

  /** Ends the thread, in the middle of its job where it has one, and waits until it is gone. */
  async close(): Promise<void> {
    this.#end("unavailable");
    await this.#exited;
  }

  #hear(message: FromThread<Answer>): void {
    if (this.#state !== "starting" && this.#state !== "working") return;
    this.#stopTimers();
    if ("answer" in message) this.#settle({ outcome: "answered", answer: message.answer });
    this.#move("idle");
  }

  #end(outcome: "overran" | "died" | "unavailable"): void {
    if (this.#state === "ending" || this.#state === "gone") return;
    this.#stopTimers();
    void this.#worker.terminate();
    this.#settle({ outcome });
    this.#move("ending");
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#look);
  }

  #move(to: LaneState): void {
    const before = this.#state;
    this.#state = to;
    this.#onChange(before);
  }

  #settle(outcome: ThreadOutcome<Answer>): void {
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.(outcome);
  }
}
