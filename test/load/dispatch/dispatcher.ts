import {
  newExecutionId,
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  type Admission,
  type AttemptKey,
  type LimitsAsOf,
  type QueueConsumer,
} from "@bulkhead/core";
import { openExecutionQueue, openQueueConsumer, type OpenedExecutionQueue } from "@bulkhead/redis";
import { Redis } from "ioredis";

/** Executions that the consumer holds at once. */
const HELD = 32;
/** No lease runs out in the middle of a measure. Milliseconds. */
const LEASE_MS = 3_600_000;
const SHARD = "{bh:0}";
/** Admissions under way at once, while a backlog is filled. */
const FILL_SIZE = 1_000;
const TAKEN_MS_MAX = 10_000;

/** Nothing but the ring decides: no rate, no cap that a backlog of this bench meets. */
const UNBOUND: LimitsAsOf = {
  limits: {
    ...TENANT_LIMITS_DEFAULT,
    maxConcurrentExecutions: 10_000,
    maxQueuedExecutions: 10_000_000,
    executionsPerSecond: 100_000,
    executionBurst: 1_000_000,
  },
  asOf: new Date(),
};

const admission = (tenantId: string): Admission => ({
  tenantId,
  executionId: newExecutionId(new Date()),
  attempt: 1,
  current: UNBOUND,
  priority: 4,
  delayMs: 0,
  tool: null,
});

/** An attempt that a worker has; `end` gives its slot there back. */
interface Held {
  attempt: AttemptKey;
  end: () => void;
}

/** The dispatcher behind its port, on an empty Redis, with a worker that runs nothing and keeps what it takes. */
export class Dispatcher {
  readonly tenants: string[];
  readonly redis: Redis;
  readonly queue: OpenedExecutionQueue;
  readonly #held: Held[] = [];
  #consumer: QueueConsumer | undefined;
  #slotsAdded = 0;

  private constructor(tenants: number, redis: Redis, queue: OpenedExecutionQueue) {
    this.tenants = Array.from({ length: tenants }, newTenantId);
    this.redis = redis;
    this.queue = queue;
  }

  static async open(redisUrl: string, tenants: number): Promise<Dispatcher> {
    const redis = new Redis(redisUrl);
    await redis.flushall();
    const onError = failLoudly;
    const queue = await openExecutionQueue({ redisUrl, handedOutLeaseMs: LEASE_MS, onError });
    const dispatcher = new Dispatcher(tenants, redis, queue);
    dispatcher.#consumer = await openQueueConsumer({
      redisUrl,
      workerId: "wrk_bench",
      concurrency: HELD,
      headroom: () => 1,
      // The bench dispatches itself, to see what each one costs.
      queue: { dispatchDue: () => Promise.resolve({ dueInMs: null, workers: 1 }) },
      handle: (attempt) => new Promise((end) => dispatcher.#held.push({ attempt, end })),
      onError,
    });
    return dispatcher;
  }

  /** Admits so many of each tenant, the tenants in turns. */
  async fill(perTenant: number): Promise<void> {
    for (let round = 0; round < perTenant; round += 1) {
      for (let from = 0; from < this.tenants.length; from += FILL_SIZE)
        await this.queue.admit(this.tenants.slice(from, from + FILL_SIZE).map(admission));
    }
  }

  async admitOne(place: number): Promise<void> {
    await this.queue.admit([admission(this.#tenant(place))]);
  }

  /** Ends what the worker has, which hands the next one out. The worker's own part is left out. */
  async completeOne(place: number): Promise<() => Promise<void>> {
    const held = await this.#take();
    return async () => {
      await this.queue.release(held.attempt, 1 + (place % 100));
      held.end();
    };
  }

  /** Says that there is another worker, with so many slots more than before. */
  async addSlots(count: number): Promise<void> {
    this.#slotsAdded += count;
    const keys = { workers: `${SHARD}:workers`, slots: `${SHARD}:slots`, total: `${SHARD}:slots-total` };
    const capacity = { each: `${SHARD}:capacity`, total: `${SHARD}:capacity-total` };
    await this.redis
      .multi()
      .zadd(keys.workers, Date.now() + LEASE_MS, "wrk_more")
      .hset(keys.slots, "wrk_more", this.#slotsAdded)
      .incrby(keys.total, count)
      .hset(capacity.each, "wrk_more", this.#slotsAdded)
      .incrby(capacity.total, count)
      .exec();
  }

  async inflight(): Promise<number> {
    return (await this.queue.measure()).reduce((sum, { inflight }) => sum + inflight, 0);
  }

  async usedMemoryBytes(): Promise<number> {
    return Number(/used_memory:(\d+)/u.exec(await this.redis.info("memory"))?.[1]);
  }

  async close(): Promise<void> {
    for (const { end } of this.#held.splice(0)) end();
    await this.#consumer?.close();
    await this.queue.close();
    this.redis.disconnect();
  }

  #tenant(place: number): string {
    // A prime stride: neighbours in time are no neighbours in the ring.
    return this.tenants[(place * 7_919) % this.tenants.length] ?? "";
  }

  async #take(): Promise<Held> {
    for (const deadline = performance.now() + TAKEN_MS_MAX; performance.now() < deadline;) {
      const held = this.#held.shift();
      if (held) return held;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error("the worker was handed nothing");
  }
}

const failLoudly = (error: Error): void => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
};
