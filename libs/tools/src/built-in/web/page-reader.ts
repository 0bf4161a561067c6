import { PROCESS_IDLE_MS_MAX, PROCESSES_MAX, READ_MS_MAX } from "./bounds.ts";
import { PageQueue } from "./page-queue.ts";
import { PageProcess, type Reading } from "./page-process.ts";
import type { PageJob } from "./read-page.ts";
import type { PageProgram } from "./spawn-page-process.ts";

/** The tenant of a page, and how long its answer is wanted. */
export interface PageOwner {
  tenantId: string;
  signal: AbortSignal;
}

interface WaitingPage extends PageOwner {
  job: PageJob;
  leave(): void;
  answer(reading: Reading): void;
}

/** Reads pages in other processes: a hostile one costs time and memory of a process that can be ended. */
export class PageReader {
  readonly #idleMs: number;
  readonly #readMs: number;
  readonly #program: PageProgram;
  readonly #queue = new PageQueue<WaitingPage>();
  readonly #processes = new Set<PageProcess>();
  readonly #idle = new Map<PageProcess, NodeJS.Timeout>();
  /** Processes that are ending and hold a place no more. */
  readonly #ending = new Set<PageProcess>();
  #closed = false;

  constructor(
    idleMs: number = PROCESS_IDLE_MS_MAX,
    readMs: number = READ_MS_MAX,
    program: PageProgram = "page",
  ) {
    this.#idleMs = idleMs;
    this.#readMs = readMs;
    this.#program = program;
  }

  /** The processes that live, with a page or without, so that tests can end them. */
  get pids(): number[] {
    return [...this.#processes, ...this.#ending].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Never rejects. A page that is not wanted any more is not read, or not to its end. */
  async read(job: PageJob, { tenantId, signal }: PageOwner): Promise<Reading> {
    if (this.#closed) return { outcome: "unavailable" };
    if (signal.aborted) return { outcome: "aborted" };
    const { promise, resolve } = Promise.withResolvers<Reading>();
    const leave = (): void => resolve({ outcome: this.#closed ? "unavailable" : "crowded" });
    const page: WaitingPage = { tenantId, signal, job, leave, answer: resolve };
    if (!this.#queue.join(tenantId, page)) return { outcome: "crowded" };
    const giveUp = (): void => {
      this.#queue.drop(tenantId, page);
      resolve({ outcome: "aborted" });
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#advance();
    const reading = await promise;
    signal.removeEventListener("abort", giveUp);
    return reading;
  }

  /** Answers waiting and running pages with `unavailable`; nothing is left when it has resolved. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear();
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all([...this.#processes, ...this.#ending].map((process) => process.close()));
  }

  #advance(): void {
    while (!this.#closed && (this.#idle.size > 0 || this.#processes.size < PROCESSES_MAX)) {
      const page = this.#queue.next();
      if (page === null) return;
      void this.#readIn(this.#takeProcess(), page);
    }
  }

  async #readIn(process: PageProcess, page: WaitingPage): Promise<void> {
    page.answer(await process.read(page.job, page.signal));
    this.#queue.done(page.tenantId);
    if (process.isGone) this.#retire(process);
    else this.#rest(process);
    this.#advance();
  }

  #takeProcess(): PageProcess {
    const [first] = this.#idle;
    if (first) {
      const [process, timer] = first;
      clearTimeout(timer);
      this.#idle.delete(process);
      return process;
    }
    const process: PageProcess = new PageProcess(
      this.#program,
      () => {
        this.#retire(process);
        this.#ending.delete(process);
      },
      this.#readMs,
    );
    this.#processes.add(process);
    return process;
  }

  #rest(process: PageProcess): void {
    if (this.#closed) return;
    const end = (): void => {
      this.#retire(process);
      void process.close();
    };
    this.#idle.set(process, setTimeout(end, this.#idleMs).unref());
  }

  #retire(process: PageProcess): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    if (this.#processes.delete(process)) this.#ending.add(process);
  }
}
