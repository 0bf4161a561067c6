import type { AttemptKey, QueueConsumer } from "@bulkhead/domain";
import type { Redis } from "ioredis";
import { attemptName } from "./attempt-name.ts";
import { calmly, connect, disconnect } from "@bulkhead/redis";
import { READY_QUEUE, shardBase } from "./names.ts";
import { ReadyWorker } from "./ready-worker.ts";

/** How often the watchdog looks whether jobs are taken; milliseconds. */
const WATCHDOG_MS = 5_000;
/** So many looks in a row at which jobs waited, room was there and nothing had been taken: then the worker is replaced. */
const WATCHDOG_LOOKS = 2;
/** What is waited for BullMQ to settle with Redis, which it would otherwise await without end. Milliseconds. */
const SETTLE_MS_MAX = 2_000;

export interface OpenQueueConsumerInput {
  redisUrl: string;
  /** Which dispatcher shard; 0 unless there are several. */
  shard?: number;
  concurrency: number;
  /**
   * Sees one attempt through and releases it. Called once for each attempt handed out, but an attempt may be handed out
   * twice: the claim in Postgres decides. What it throws goes to `onError` and ends the attempt's place here.
   */
  handle: (attempt: AttemptKey) => Promise<void>;
  watchdogMs?: number;
  onError: (error: Error) => void;
}

/** The workers' side. Throws `service.unavailable` when Redis isn't there at the start; later it waits for it to come back. */
export async function openQueueConsumer(input: OpenQueueConsumerInput): Promise<QueueConsumer> {
  const onError = calmly(input.onError);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-consumer", onError });
  return new RedisQueueConsumer(redis, {
    redisUrl: input.redisUrl,
    base: shardBase(input.shard ?? 0),
    concurrency: input.concurrency,
    handle: input.handle,
    watchdogMs: input.watchdogMs ?? WATCHDOG_MS,
    onError,
  });
}

interface Settings {
  redisUrl: string;
  base: string;
  concurrency: number;
  handle: (attempt: AttemptKey) => Promise<void>;
  watchdogMs: number;
  onError: (error: unknown) => void;
}

class RedisQueueConsumer implements QueueConsumer {
  readonly #redis: Redis;
  readonly #settings: Settings;
  readonly #running = new Set<Promise<void>>();
  readonly #watchdog: NodeJS.Timeout;
  #worker: ReadyWorker;
  #generation = 0;
  // Attempts that workers since replaced have left running: they count toward the concurrency.
  #orphans = 0;
  #taken = 0;
  #takenAtLastLook = 0;
  #idleLooks = 0;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(redis: Redis, settings: Settings) {
    this.#redis = redis;
    this.#settings = settings;
    this.#worker = this.#openWorker();
    this.#watchdog = setInterval(() => void this.#look(), settings.watchdogMs);
  }

  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #openWorker(): ReadyWorker {
    const { redisUrl, base, onError } = this.#settings;
    const generation = ++this.#generation;
    return new ReadyWorker({
      redisUrl,
      prefix: base,
      concurrency: this.#room(),
      handle: (attempt) => this.#handle(attempt, generation),
      onError,
    });
  }

  #room(): number {
    return Math.max(1, this.#settings.concurrency - this.#orphans);
  }

  /** Never rejects: to BullMQ every attempt ends well, since retries are not its business. */
  #handle(attempt: AttemptKey, generation: number): Promise<void> {
    const { handle, onError } = this.#settings;
    this.#taken++;
    const failed = (cause: unknown): void =>
      onError(new Error(`${attemptName(attempt)} was not handled: ${String(cause)}`, { cause }));
    const running = handle(attempt)
      .catch(failed)
      .finally(() => {
        this.#running.delete(running);
        if (generation === this.#generation) return;
        this.#orphans--;
        this.#worker.concurrency = this.#room();
      });
    this.#running.add(running);
    return running;
  }

  /** Watches progress, not `isRunning()`: a worker can look alive after a reconnect and take nothing. */
  async #look(): Promise<void> {
    const hasRoom = this.#running.size < this.#settings.concurrency;
    const tookSome = this.#taken !== this.#takenAtLastLook;
    this.#takenAtLastLook = this.#taken;
    if (this.#draining !== undefined || tookSome || !hasRoom) return void (this.#idleLooks = 0);
    try {
      const waiting = await this.#redis.llen(`${this.#settings.base}:${READY_QUEUE}:wait`);
      this.#idleLooks = waiting > 0 && this.#taken === this.#takenAtLastLook ? this.#idleLooks + 1 : 0;
    } catch {
      // Redis is away, which the connection reports: nothing to be taken, nothing to be blamed for.
      this.#idleLooks = 0;
    }
    if (this.#idleLooks >= WATCHDOG_LOOKS && this.#draining === undefined) this.#replaceWorker();
  }

  #replaceWorker(): void {
    const { onError } = this.#settings;
    onError(new Error("jobs wait and none was taken: the queue's worker is replaced"));
    this.#idleLooks = 0;
    this.#orphans = this.#running.size;
    this.#worker.abandon().catch(onError);
    this.#worker = this.#openWorker();
  }

  async #drain(): Promise<void> {
    clearInterval(this.#watchdog);
    const stopped = this.#worker.stop();
    stopped.catch(this.#settings.onError);
    // A fetch that was under way may still bring one in: hence the second look.
    while (this.#running.size > 0) await Promise.all(this.#running);
    await atMost(SETTLE_MS_MAX, stopped);
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #close(): Promise<void> {
    clearInterval(this.#watchdog);
    this.#draining ??= Promise.resolve();
    await atMost(SETTLE_MS_MAX, this.#worker.abandon());
    await disconnect(this.#redis);
  }
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
