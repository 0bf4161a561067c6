import { attemptName, type QueueConsumer } from "@bulkhead/core";
import { calmly } from "../connect/calmly.ts";
import { connect, disconnect, type RedisClient } from "../connect/connect.ts";
import type { HandedOut } from "./handed-out.ts";
import { DispatchTicker } from "./dispatch-ticker.ts";
import type { OpenedExecutionQueue } from "./execution-queue.ts";
import { shardBase } from "./names.ts";
import { Semaphore } from "./semaphore.ts";
import { ShardIntake } from "./shard-intake.ts";
import { allShards } from "./shard-of.ts";
import { SlotAnnouncer } from "./slot-announcer.ts";
import { SlotFitter } from "./slot-fitter.ts";
import { defineSteps } from "./steps.ts";

/** How often the watchdog looks whether jobs are taken; milliseconds. */
const WATCHDOG_MS = 5_000;
/** Bounds the wait for BullMQ and the withdrawal to settle with Redis, which may be endless. Milliseconds. */
const SETTLE_MS_MAX = 2_000;

export interface OpenQueueConsumerInput {
  redisUrl: string;
  /** How many dispatcher shards there are, the same in every process; 1 when unset. */
  shards?: number;
  /** Unique among the live consumers. */
  workerId: string;
  /**
   * Attempts that are handled at once at most, of all shards together; announced to every shard as slots. Fewer short
   * ones at once while the processors are saturated.
   */
  concurrency: number;
  /** The share of the machine, from 0 to 1, that was idle since the last call: `machineHeadroom`. */
  headroom: () => number;
  /** Dispatches on each tick, as long as this consumer is not drained. */
  queue: Pick<OpenedExecutionQueue, "dispatchDue">;
  /**
   * Runs one attempt and releases it. Called once for each attempt handed out, but an attempt may be handed out twice: the
   * claim in Postgres decides. An error goes to `onError` and ends the attempt here. `readySince` is when it was handed
   * out, in milliseconds since 1970 by the clock of Redis.
   */
  handle: (attempt: HandedOut, readySince: number) => Promise<void>;
  watchdogMs?: number;
  onError: (error: Error) => void;
}

/** The workers' side. Throws `service.unavailable` when Redis isn't there at the start; later it waits for it to come back. */
export async function openQueueConsumer(input: OpenQueueConsumerInput): Promise<QueueConsumer> {
  const onError = calmly(input.onError);
  const bases = allShards(input.shards ?? 1).map(shardBase);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-consumer", onError });
  defineSteps(redis);
  const { workerId, concurrency } = input;
  const announcer = new SlotAnnouncer({ redis, bases, workerId, capacity: concurrency, onError });
  try {
    await announcer.start();
  } catch (error) {
    await disconnect(redis);
    throw error;
  }
  return new RedisQueueConsumer(redis, announcer, bases, { ...input, onError });
}

type Settings = Omit<OpenQueueConsumerInput, "onError"> & { onError: (error: unknown) => void };

class RedisQueueConsumer implements QueueConsumer {
  readonly #redis: RedisClient;
  readonly #announcer: SlotAnnouncer;
  readonly #settings: Settings;
  readonly #intakes: ShardIntake[];
  readonly #slots: Semaphore;
  readonly #running = new Set<Promise<void>>();
  readonly #fitter: SlotFitter;
  readonly #watchdog: NodeJS.Timeout;
  readonly #ticker: DispatchTicker;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(redis: RedisClient, announcer: SlotAnnouncer, bases: string[], settings: Settings) {
    const { redisUrl, concurrency, onError, queue } = settings;
    this.#redis = redis;
    this.#announcer = announcer;
    this.#settings = settings;
    this.#slots = new Semaphore(concurrency);
    this.#fitter = new SlotFitter({
      concurrency,
      headroom: settings.headroom,
      // The announced slots bound the hand-outs. BullMQ's concurrency stays as it is: a worker that gets more of it while
      // all is in use looks for jobs only when one has ended, which may be minutes later.
      onChange: (slots) => announcer.change(slots),
    });
    const handle = (attempt: HandedOut, readySince: number): Promise<void> =>
      this.#handle(attempt, readySince);
    const onChange = (): void => this.#shareSlots();
    this.#intakes = bases.map(
      (base) => new ShardIntake({ redisUrl, redis, base, concurrency, handle, onChange, onError }),
    );
    const look = (): void => this.#intakes.forEach((intake) => void intake.look());
    this.#watchdog = setInterval(look, settings.watchdogMs ?? WATCHDOG_MS);
    this.#ticker = new DispatchTicker({ dispatchDue: () => queue.dispatchDue(), onError });
  }

  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Never rejects: to BullMQ every attempt ends well, since retries are not its business. */
  #handle(attempt: HandedOut, readySince: number): Promise<void> {
    const running = this.#handleInSlot(attempt, readySince).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #handleInSlot(attempt: HandedOut, readySince: number): Promise<void> {
    const { handle, onError } = this.#settings;
    await this.#slots.acquire();
    const ended = this.#fitter.begin();
    try {
      await handle(attempt, readySince);
    } catch (cause) {
      onError(new Error(`${attemptName(attempt)} was not handled: ${String(cause)}`, { cause }));
    } finally {
      ended();
      this.#slots.release();
    }
  }

  /** Gives each shard the concurrency that the other shards' attempts leave. */
  #shareSlots(): void {
    const running = this.#intakes.reduce((sum, intake) => sum + intake.running, 0);
    for (const intake of this.#intakes) {
      intake.slots = this.#settings.concurrency - (running - intake.running);
    }
  }

  async #drain(): Promise<void> {
    this.#endTimers();
    const { onError } = this.#settings;
    const withdrawn = this.#announcer.withdraw().catch(onError);
    const stopped = Promise.all(this.#intakes.map((intake) => intake.stop().catch(onError)));
    // A fetch that was under way may still bring one in: hence the second look.
    while (this.#running.size > 0) await Promise.all(this.#running);
    await atMost(SETTLE_MS_MAX, Promise.all([withdrawn, stopped]));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #close(): Promise<void> {
    this.#endTimers();
    if (this.#draining === undefined) {
      this.#draining = Promise.resolve();
      await atMost(SETTLE_MS_MAX, this.#announcer.withdraw().catch(this.#settings.onError));
    }
    await atMost(SETTLE_MS_MAX, Promise.all(this.#intakes.map((intake) => intake.abandon())));
    await disconnect(this.#redis);
  }

  #endTimers(): void {
    this.#fitter.stop();
    clearInterval(this.#watchdog);
    this.#ticker.stop();
  }
}

/** Waits for work, but no longer than that; the work goes on. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
