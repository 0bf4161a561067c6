import { TENANT_LIMITS_DEFAULT, type AttemptKey, type ExecutionQueue } from "@bulkhead/domain";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { answered } from "./answered.ts";
import { attemptName, parseHandedOut } from "./attempt-name.ts";
import { Batch } from "./batch.ts";
import { calmly, connect, disconnect } from "@bulkhead/redis";
import * as names from "./names.ts";
import { ReleasedLately } from "./released-lately.ts";
import { defineSteps } from "./steps.ts";

export interface OpenExecutionQueueInput {
  redisUrl: string;
  /** Which dispatcher shard; 0 unless there are several. */
  shard?: number;
  /** How long a handed-out attempt and a running one hold their slots unrenewed; milliseconds. */
  handedOutLeaseMs?: number;
  runningLeaseMs?: number;
  /** Told about a broken connection, once per outage; commands fail by themselves. */
  onError: (error: Error) => void;
}

export interface OpenedExecutionQueue extends ExecutionQueue {
  close(): Promise<void>;
}

/**
 * The producers' side. Every method rejects with `service.unavailable` within a few seconds where Redis is away;
 * what it had begun may or may not have happened, and may be repeated. Throws the same when Redis isn't there at the start.
 */
export async function openExecutionQueue(input: OpenExecutionQueueInput): Promise<OpenedExecutionQueue> {
  const onError = calmly(input.onError);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-queue", onError });
  defineSteps(redis);
  return new RedisExecutionQueue(redis, {
    base: names.shardBase(input.shard ?? 0),
    handedOutLeaseMs: input.handedOutLeaseMs ?? names.HANDED_OUT_LEASE_MS,
    runningLeaseMs: input.runningLeaseMs ?? names.RUNNING_LEASE_MS,
    onError,
  });
}

interface Settings {
  base: string;
  handedOutLeaseMs: number;
  runningLeaseMs: number;
  onError: (error: unknown) => void;
}

const pairs = (attempts: AttemptKey[]): string[] =>
  attempts.flatMap((attempt) => [attempt.tenantId, attemptName(attempt)]);

/** Failed releases that are kept for another try; beyond that the lease frees the slot. */
const UNRELEASED_MAX = 10_000;

class RedisExecutionQueue implements OpenedExecutionQueue {
  readonly #redis: Redis;
  readonly #settings: Settings;
  readonly #ready: Queue<AttemptKey>;
  readonly #admits: Batch<{ attempt: AttemptKey; cap: number | null }>;
  readonly #releases: Batch<AttemptKey>;
  readonly #handOuts: Batch<AttemptKey>;
  readonly #released = new ReleasedLately();
  readonly #unreleased = new Map<string, AttemptKey>();

  constructor(redis: Redis, settings: Settings) {
    this.#redis = redis;
    this.#settings = settings;
    this.#ready = new Queue(names.READY_QUEUE, {
      connection: redis,
      prefix: settings.base,
      skipVersionCheck: true,
      // Nobody reads BullMQ's event stream.
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    });
    this.#ready.on("error", settings.onError);
    this.#admits = new Batch(names.STEP_SIZE_MAX, (items) => this.#admit(items));
    this.#releases = new Batch(names.STEP_SIZE_MAX, (items) => this.#release(items));
    this.#handOuts = new Batch(names.STEP_SIZE_MAX, (items) => this.#addToReady(items));
  }

  admit(attempt: AttemptKey, maxConcurrentExecutions: number | null): Promise<void> {
    return this.#admits.add({ attempt, cap: maxConcurrentExecutions });
  }

  async release(attempt: AttemptKey): Promise<void> {
    const name = attemptName(attempt);
    this.#released.add(name);
    try {
      await this.#releases.add(attempt);
    } catch (error) {
      if (this.#unreleased.size < UNRELEASED_MAX) this.#unreleased.set(name, attempt);
      throw error;
    }
  }

  async missing(attempts: AttemptKey[]): Promise<AttemptKey[]> {
    const { base, handedOutLeaseMs } = this.#settings;
    const missing: AttemptKey[] = [];
    for (const part of inParts(attempts)) {
      const positions = await answered(this.#redis.bhMissing(base, handedOutLeaseMs, ...pairs(part)));
      missing.push(...part.filter((_, position) => positions.includes(position)));
    }
    return missing;
  }

  async renew(attempts: AttemptKey[]): Promise<void> {
    const running = attempts.filter((attempt) => !this.#released.has(attemptName(attempt)));
    this.#released.age();
    for (const part of inParts(running)) {
      const { base, runningLeaseMs } = this.#settings;
      await answered(this.#redis.bhRenew(base, runningLeaseMs, ...pairs(part)));
    }
  }

  async reap(): Promise<number> {
    const { base, handedOutLeaseMs } = this.#settings;
    let freed = await this.#releaseAgain();
    for (let step = 0; step < names.REAP_STEPS_MAX; step++) {
      const [handedOut, expired] = await answered(
        this.#redis.bhReap(base, handedOutLeaseMs, names.REAP_LEASES_MAX, names.REAP_TENANTS_MAX),
      );
      await this.#handOut(handedOut);
      freed += expired;
      if (expired < names.REAP_LEASES_MAX && handedOut.length === 0) break;
    }
    return freed;
  }

  /** Releases that Redis was not there for; answers how many got through. */
  async #releaseAgain(): Promise<number> {
    const retried = [...this.#unreleased.keys()];
    for (const part of inParts([...this.#unreleased.values()])) await this.#release(part);
    for (const name of retried) this.#unreleased.delete(name);
    return retried.length;
  }

  async close(): Promise<void> {
    // BullMQ leaves a connection alone that was handed to it.
    await this.#ready.close();
    await disconnect(this.#redis);
  }

  async #admit(items: { attempt: AttemptKey; cap: number | null }[]): Promise<void> {
    const triples = items.flatMap(({ attempt, cap }) => [...pairs([attempt]), cap ?? ""]);
    const { base, handedOutLeaseMs } = this.#settings;
    const capUnknown = TENANT_LIMITS_DEFAULT.maxConcurrentExecutions;
    await this.#handOut(await answered(this.#redis.bhAdmit(base, handedOutLeaseMs, capUnknown, ...triples)));
  }

  async #release(attempts: AttemptKey[]): Promise<void> {
    const { base, handedOutLeaseMs } = this.#settings;
    const [handedOut, idle] = await answered(
      this.#redis.bhRelease(base, handedOutLeaseMs, ...pairs(attempts)),
    );
    // A worker may lock one of them now: BullMQ then keeps it, and the claim in Postgres refuses it.
    const removals = idle.map((jobId) => answered(this.#ready.remove(jobId)));
    await Promise.all([this.#handOut(handedOut), ...removals]);
  }

  async #handOut(handedOut: string[]): Promise<void> {
    await Promise.all(handedOut.map((text) => this.#handOuts.add(parseHandedOut(text))));
  }

  async #addToReady(attempts: AttemptKey[]): Promise<void> {
    // Only ids; and BullMQ ignores a job id that it has, so handing out twice is harmless.
    const jobs = attempts.map(({ tenantId, executionId, attempt }) => ({
      name: "run",
      data: { tenantId, executionId, attempt },
      opts: { jobId: attemptName({ tenantId, executionId, attempt }) },
    }));
    // One pipeline; BullMQ rejects when any of its replies is an error.
    await answered(this.#ready.addBulk(jobs));
  }
}

function inParts(attempts: AttemptKey[]): AttemptKey[][] {
  const parts: AttemptKey[][] = [];
  for (let from = 0; from < attempts.length; from += names.STEP_SIZE_MAX) {
    parts.push(attempts.slice(from, from + names.STEP_SIZE_MAX));
  }
  return parts;
}
