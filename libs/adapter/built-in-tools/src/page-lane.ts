import { Worker } from "node:worker_threads";
import { THREAD_HEAP_MIB_MAX, THREAD_MS_MAX, THREAD_START_MS_MAX } from "./bounds.ts";
import type { Page, PageJob } from "./read-page.ts";

/** `overran` is for a page that took too long, `died` for one that used the thread's memory up. */
export type Reading =
  | { outcome: "read"; page: Page | null }
  | { outcome: "overran" | "died" | "unavailable" };

type FromThread = { ready: true } | { page: Page | null };

/** One thread, which takes one page at a time and ends with the first that goes wrong. */
export class PageLane {
  readonly #worker: Worker;
  readonly #ready: Promise<boolean>;
  readonly #exited: Promise<void>;
  #finish: ((reading: Reading) => void) | null = null;
  #onReady: (ready: boolean) => void = () => undefined;
  #gone = false;

  constructor() {
    this.#worker = new Worker(new URL("./page-thread.ts", import.meta.url), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB_MAX, maxYoungGenerationSizeMb: 16 },
    });
    this.#ready = new Promise((resolve) => {
      const late = setTimeout(resolve, THREAD_START_MS_MAX, false);
      this.#onReady = (ready) => {
        clearTimeout(late);
        resolve(ready);
      };
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("message", (message: FromThread) => {
      if ("ready" in message) this.#onReady(true);
      else this.#settle({ outcome: "read", page: message.page });
    });
    this.#worker.on("error", () => this.#end("died"));
    this.#worker.on("exit", () => this.#end("died"));
  }

  /** It takes no page any more. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** One call at a time. The time counts once the thread is ready. */
  async read(job: PageJob): Promise<Reading> {
    if (!(await this.#ready) || this.#gone) {
      this.#end("unavailable");
      return { outcome: "unavailable" };
    }
    const overrun = setTimeout(() => this.#end("overran"), THREAD_MS_MAX);
    try {
      return await new Promise<Reading>((resolve) => {
        this.#finish = resolve;
        this.#worker.postMessage(job, []);
      });
    } finally {
      clearTimeout(overrun);
    }
  }

  /** Ends the thread, in the middle of a page where it has one, and waits until it is gone. */
  async close(): Promise<void> {
    this.#end("unavailable");
    await this.#exited;
  }

  #end(outcome: "overran" | "died" | "unavailable"): void {
    this.#gone = true;
    this.#onReady(false);
    void this.#worker.terminate();
    this.#settle({ outcome });
  }

  #settle(reading: Reading): void {
    this.#finish?.(reading);
    this.#finish = null;
  }
}
