import { Worker } from "bullmq";
import { isAttemptKey, type HandedOut } from "./handed-out.ts";
import { fetchingConnection } from "../connect/fetching.ts";
import { READY_QUEUE } from "./names.ts";
import { promptBackend } from "./prompt-backend.ts";

/** BullMQ's lock on a job; renewed at half. Losing it is harmless here: the claim in Postgres decides. Milliseconds. */
const LOCK_MS = 8_000;
/**
 * How often jobs of dead workers are searched; the second search finds them. Attempts that such a worker had not claimed
 * yet wait for this. Milliseconds.
 */
const STALLED_CHECK_MS = 4_000;
/** Longest wait in one blocking fetch; BullMQ replaces a connection that is silent one second longer. Seconds. */
const BLOCK_SECONDS = 5;
/** How soon BullMQ retries after a failure while Redis was away; its own 15 s would be a long pause. Milliseconds. */
const RETRY_MS = 500;

export interface ReadyWorkerInput {
  redisUrl: string;
  prefix: string;
  concurrency: number;
  /** Must not reject. `readySince` is when it was handed out, in milliseconds since 1970 by the clock of Redis. */
  handle: (attempt: HandedOut, readySince: number) => Promise<void>;
  /** Runs an attempt of a worker that has died since, outside of BullMQ's count; must not reject either. */
  handleAgain: (attempt: HandedOut, readySince: number) => Promise<void>;
  onError: (error: unknown) => void;
}

/** One BullMQ worker with its two connections: takes jobs, validates their data, and gives each back as done. */
export class ReadyWorker {
  readonly #worker: Worker;
  readonly #fetching: ReturnType<typeof fetchingConnection>;

  constructor({ redisUrl, prefix, concurrency, handle, handleAgain, onError }: ReadyWorkerInput) {
    this.#fetching = fetchingConnection({ redisUrl, name: "bulkhead-worker" });
    this.#worker = new Worker(
      READY_QUEUE,
      async ({ data, timestamp }: { data: unknown; timestamp: number }) => {
        if (isAttemptKey(data)) await handle(data, timestamp);
        else onError(new Error("a job without an attempt was thrown away"));
      },
      {
        connection: this.#fetching.connection,
        prefix,
        concurrency,
        skipVersionCheck: true,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        // A job of a dead worker fails: to BullMQ it is gone, here it is known by that.
        maxStalledCount: 0,
        drainDelay: BLOCK_SECONDS,
        runRetryDelay: RETRY_MS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
      promptBackend,
    );
    this.#worker.on("error", onError);
    this.#worker.on("failed", (job) => {
      if (!job || !isAttemptKey(job.data)) return;
      const { tenantId, executionId, attempt } = job.data;
      void handleAgain({ tenantId, executionId, attempt, again: true }, job.timestamp);
    });
  }

  get concurrency(): number {
    return this.#worker.concurrency;
  }
  set concurrency(concurrency: number) {
    this.#worker.concurrency = concurrency;
  }

  /**
   * Takes nothing new; resolves when BullMQ has settled all finished jobs. While Redis is away that may be never: the
   * caller bounds the wait.
   */
  async stop(): Promise<void> {
    // `close` would do the same, but could then not be forced any more.
    await this.#worker.pause();
  }

  /** Drops both connections without waiting for running jobs: the stalled check finds those. */
  async abandon(): Promise<void> {
    await this.#worker.close(true);
    await this.#fetching.close();
  }
}
