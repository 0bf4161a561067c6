import { FrameDecoder } from "@bulkhead/sandbox/wire";
import type { ChildProcess } from "node:child_process";
import type { spawnProgram } from "../../spawn-program.ts";
import { PROCESS_START_MS_MAX } from "./bounds.ts";

/** A program that does one job after another for the worker; what it says is a stranger's. */
export interface JobProgram<Job, Answer> {
  spawn(): ReturnType<typeof spawnProgram>;
  /** Throws a WireError for a job over the wire's bound. */
  encode(job: Job): Buffer;
  /** `ready` once, then one answer to each job. Throws a WireError for a message that no honest process sends. */
  parse(text: string): "ready" | Answer;
  /** The answer for a job over the wire's bound. */
  overBound: Answer;
  answerBytesMax: number;
  /** Its time for one job, in milliseconds. */
  jobMsMax: number;
}

/**
 * `overran` is for a job that took too long, `died` for one that took its process along, `unavailable` is no fault of the job,
 * and for one that is `crowded` too many wait.
 */
export interface NotDone {
  outcome: Ending | "crowded";
}
type Ending = "overran" | "died" | "unavailable" | "aborted";

/** One process, which takes one job at a time and ends with the first failure. */
export class ProgramProcess<Job, Answer> {
  readonly #program: JobProgram<Job, Answer>;
  readonly #child: ReturnType<typeof spawnProgram>;
  readonly #decoder: FrameDecoder;
  readonly #started = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #late = setTimeout(() => this.#end("unavailable"), PROCESS_START_MS_MAX);
  #finish: ((answer: Answer | NotDone) => void) | null = null;
  /** Why it takes no job any more; null while it does. */
  #ended: Ending | null = null;

  constructor(program: JobProgram<Job, Answer>, onGone: () => void) {
    this.#program = program;
    this.#decoder = new FrameDecoder(program.answerBytesMax);
    this.#child = program.spawn();
    const { stdin, stdout } = this.#child;
    stdout.on("data", (chunk: Buffer) => this.#hear(chunk));
    for (const faulty of [stdin, stdout]) faulty.on("error", () => this.#end("died"));
    // Without a pid it has never been, and no exit follows.
    this.#child.on("error", () => this.#gone());
    this.#child.on("exit", () => this.#gone());
    void this.#exited.promise.then(onGone);
  }

  get isGone(): boolean {
    return this.#ended !== null;
  }

  /** The process's id, so that tests can end it. */
  get pid(): ChildProcess["pid"] {
    return this.#child.pid;
  }

  /** One call at a time; never rejects. The time counts once the process is ready. An abort ends the process. */
  async run(job: Job, signal: AbortSignal): Promise<Answer | NotDone> {
    const abort = (): void => this.#end("aborted");
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      await this.#started.promise;
      return this.#ended === null ? await this.#send(job) : { outcome: this.#ended };
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Ends the process, in the middle of a job where it has one, and waits until it is gone. */
  async close(): Promise<void> {
    this.#end("unavailable");
    await this.#exited.promise;
  }

  async #send(job: Job): Promise<Answer | NotDone> {
    const overrun = setTimeout(() => this.#end("overran"), this.#program.jobMsMax);
    try {
      return await new Promise<Answer | NotDone>((resolve) => {
        this.#finish = resolve;
        this.#child.stdin.write(this.#program.encode(job));
      });
    } catch {
      // Over the wire's bound: nothing was written.
      return this.#program.overBound;
    } finally {
      clearTimeout(overrun);
      this.#finish = null;
    }
  }

  #hear(chunk: Buffer): void {
    try {
      for (const text of this.#decoder.push(chunk)) this.#take(this.#program.parse(text));
    } catch {
      this.#end("died");
    }
  }

  #take(message: "ready" | Answer): void {
    if (message === "ready") return this.#start();
    if (this.#finish === null) return this.#end("died");
    this.#finish(message);
    this.#finish = null;
  }

  #start(): void {
    clearTimeout(this.#late);
    this.#started.resolve();
  }

  #end(why: Ending): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    this.#child.kill("SIGKILL");
    this.#start();
    this.#finish?.({ outcome: why });
    this.#finish = null;
  }

  #gone(): void {
    this.#end("died");
    this.#exited.resolve();
  }
}
