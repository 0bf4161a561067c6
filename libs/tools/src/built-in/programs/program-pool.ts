import { PROCESSES_MAX } from "./bounds.ts";
import { JobQueue } from "./job-queue.ts";
import type { NotDone } from "./program-process.ts";

/** The tenant of a job, and how long its answer is wanted. */
export interface JobOwner {
  tenantId: string;
  signal: AbortSignal;
}

/** What does one job after another until it is gone. */
interface JobProcess<Job, Answer> {
  /** Whether it takes no job any more. */
  readonly isGone: boolean;
  /** Its id in the system, where it has one. */
  readonly pid: number | undefined;
  /** One call at a time; never rejects. */
  run(job: Job, signal: AbortSignal): Promise<Answer | NotDone>;
  /** Ends it, in the midst of a job where it has one; resolves when nothing of it is left. */
  close(): Promise<void>;
}
/** Starts one, which tells when nothing of it is left. */
export type OpenProcess<Job, Answer> = (onGone: () => void) => JobProcess<Job, Answer>;

interface WaitingJob<Job, Answer> extends JobOwner {
  job: Job;
  leave(): void;
  answer(answer: Answer | NotDone): void;
}

/** Does jobs in other processes: a hostile one costs time and memory of a process that can be ended. */
export class ProgramPool<Job, Answer> {
  readonly #idleMs: number;
  readonly #open: OpenProcess<Job, Answer>;
  readonly #queue = new JobQueue<WaitingJob<Job, Answer>>();
  readonly #processes = new Set<JobProcess<Job, Answer>>();
  readonly #idle = new Map<JobProcess<Job, Answer>, NodeJS.Timeout>();
  /** Processes that are ending and hold a place no more. */
  readonly #ending = new Set<JobProcess<Job, Answer>>();
  #closed = false;

  /** A process without a job for `idleMs` milliseconds is ended. */
  constructor(open: OpenProcess<Job, Answer>, idleMs: number) {
    this.#open = open;
    this.#idleMs = idleMs;
  }

  /** The processes that live, with a job or without, so that tests can end them. */
  get pids(): number[] {
    return [...this.#processes, ...this.#ending].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Never rejects. A job that is not wanted any more is not done, or not to its end. */
  async run(job: Job, { tenantId, signal }: JobOwner): Promise<Answer | NotDone> {
    if (this.#closed) return { outcome: "unavailable" };
    if (signal.aborted) return { outcome: "aborted" };
    const { promise, resolve } = Promise.withResolvers<Answer | NotDone>();
    const leave = (): void => resolve({ outcome: this.#closed ? "unavailable" : "crowded" });
    const waiting: WaitingJob<Job, Answer> = { tenantId, signal, job, leave, answer: resolve };
    if (!this.#queue.join(tenantId, waiting)) return { outcome: "crowded" };
    const giveUp = (): void => {
      this.#queue.drop(tenantId, waiting);
      resolve({ outcome: "aborted" });
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#advance();
    const answer = await promise;
    signal.removeEventListener("abort", giveUp);
    return answer;
  }

  /** Answers waiting and running jobs with `unavailable`; nothing is left when it has resolved. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear();
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all([...this.#processes, ...this.#ending].map((process) => process.close()));
  }

  #advance(): void {
    while (!this.#closed && (this.#idle.size > 0 || this.#processes.size < PROCESSES_MAX)) {
      const next = this.#queue.next();
      if (next === null) return;
      void this.#runIn(this.#takeProcess(), next);
    }
  }

  async #runIn(process: JobProcess<Job, Answer>, next: WaitingJob<Job, Answer>): Promise<void> {
    next.answer(await process.run(next.job, next.signal));
    this.#queue.done(next.tenantId);
    if (process.isGone) this.#retire(process);
    else this.#rest(process);
    this.#advance();
  }

  #takeProcess(): JobProcess<Job, Answer> {
    const [first] = this.#idle;
    if (first) {
      const [process, timer] = first;
      clearTimeout(timer);
      this.#idle.delete(process);
      return process;
    }
    const process: JobProcess<Job, Answer> = this.#open(() => {
      this.#retire(process);
      this.#ending.delete(process);
    });
    this.#processes.add(process);
    return process;
  }

  #rest(process: JobProcess<Job, Answer>): void {
    if (this.#closed) return;
    const end = (): void => {
      this.#retire(process);
      void process.close();
    };
    this.#idle.set(process, setTimeout(end, this.#idleMs).unref());
  }

  #retire(process: JobProcess<Job, Answer>): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    if (this.#processes.delete(process)) this.#ending.add(process);
  }
}
