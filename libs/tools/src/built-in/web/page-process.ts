import { FrameDecoder } from "@bulkhead/sandbox/wire";
import type { ChildProcess } from "node:child_process";
import { ANSWER_FRAME_BYTES_MAX, PROCESS_START_MS_MAX } from "./bounds.ts";
import { encodeJob, parseFromProcess, type FromPageProcess, type UnreadableWhy } from "./page-frames.ts";
import type { PageJob } from "./read-page.ts";
import type { Page } from "./read-html.ts";
import { spawnPageProcess, type PageProgram } from "./spawn-page-process.ts";

/**
 * `overran` is for a page that took too long, `died` for one that took its process along, `unreadable` for one that can't be
 * made text of; `unavailable` is no fault of the page.
 */
export type Reading =
  | { outcome: "read"; page: Page | null }
  | { outcome: "unreadable"; why?: UnreadableWhy | undefined }
  | { outcome: Ending | "crowded" };
type Ending = "overran" | "died" | "unavailable" | "aborted";

/** One process, which takes one page at a time and ends with the first failure. */
export class PageProcess {
  readonly #child: ReturnType<typeof spawnPageProcess>;
  readonly #decoder = new FrameDecoder(ANSWER_FRAME_BYTES_MAX);
  readonly #started = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #late = setTimeout(() => this.#end("unavailable"), PROCESS_START_MS_MAX);
  readonly #readMs: number;
  #finish: ((reading: Reading) => void) | null = null;
  /** Why it takes no page any more; null while it does. */
  #ended: Ending | null = null;

  /** `readMs` is its time for one page, in milliseconds. */
  constructor(program: PageProgram, onGone: () => void, readMs: number) {
    this.#child = spawnPageProcess(program);
    this.#readMs = readMs;
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
  async read(job: PageJob, signal: AbortSignal): Promise<Reading> {
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

  /** Ends the process, in the middle of a page where it has one, and waits until it is gone. */
  async close(): Promise<void> {
    this.#end("unavailable");
    await this.#exited.promise;
  }

  async #send(job: PageJob): Promise<Reading> {
    const overrun = setTimeout(() => this.#end("overran"), this.#readMs);
    try {
      return await new Promise<Reading>((resolve) => {
        this.#finish = resolve;
        this.#child.stdin.write(encodeJob(job));
      });
    } catch {
      // Over the wire's bound: nothing was written.
      return { outcome: "unreadable" };
    } finally {
      clearTimeout(overrun);
      this.#finish = null;
    }
  }

  #hear(chunk: Buffer): void {
    try {
      for (const text of this.#decoder.push(chunk)) this.#take(parseFromProcess(text));
    } catch {
      this.#end("died");
    }
  }

  #take(message: FromPageProcess): void {
    if (message.type === "ready") return this.#start();
    if (this.#finish === null) return this.#end("died");
    this.#finish(
      message.type === "read"
        ? { outcome: "read", page: message.page }
        : { outcome: "unreadable", why: message.why },
    );
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
