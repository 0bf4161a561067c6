import { Worker } from "node:worker_threads";
import type { FromThread } from "./serve-jobs.ts";

/** A thread's time to start, in milliseconds; loading takes about 120 on a quiet machine. */
const THREAD_START_MS_MAX = 10_000;

/** The program of a thread, which calls `serveJobs`, and its heap. */
export interface ThreadProgram {
  entry: URL;
  heapMibMax: number;
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
  #timer: NodeJS.Timeout | undefined;
  readonly #worker: Worker;
  readonly #onChange: (before: LaneState) => void;
  readonly #exited: Promise<void>;

  /** `onChange` is called after each change of state, with the state before. */
  constructor({ entry, heapMibMax }: ThreadProgram, onChange: (before: LaneState) => void) {
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
  }

  get state(): LaneState {
    return this.#state;
  }

  /** Only when idle. The time counts from here, since the thread has nothing else to do. */
  run(job: Job, msMax: number): Promise<ThreadOutcome<Answer>> {
    return new Promise((resolve) => {
      this.#move("working");
      this.#finish = resolve;
      this.#timer = setTimeout(() => this.#end("overran"), msMax);
      this.#worker.postMessage(job, []);
    });
  }

  /** Ends the thread, in the middle of its job where it has one, and waits until it is gone. */
  async close(): Promise<void> {
    this.#end("unavailable");
    await this.#exited;
  }

  #hear(message: FromThread<Answer>): void {
    if (this.#state !== "starting" && this.#state !== "working") return;
    clearTimeout(this.#timer);
    if ("answer" in message) this.#settle({ outcome: "answered", answer: message.answer });
    this.#move("idle");
  }

  #end(outcome: "overran" | "died" | "unavailable"): void {
    if (this.#state === "ending" || this.#state === "gone") return;
    clearTimeout(this.#timer);
    void this.#worker.terminate();
    this.#settle({ outcome });
    this.#move("ending");
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
