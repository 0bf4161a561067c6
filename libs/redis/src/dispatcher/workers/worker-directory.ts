import type { WorkerDirectory, WorkerFacts } from "@bulkhead/core";
import { calmly } from "../../connect/calmly.ts";
import { connect, disconnect, type RedisClient } from "../../connect/connect.ts";
import { answered } from "../answered.ts";
import { decodeFacts, encodeFacts } from "./facts-codec.ts";
import { defineWorkerSteps } from "./steps.ts";

export interface OpenWorkerDirectoryInput {
  redisUrl: string;
  /** Told about a broken connection, and about entries that can't be read; calls fail by themselves. */
  onError: (error: Error) => void;
  /** How many workers may be listed; 1,000 by default. */
  workersMax?: number;
}

export interface OpenedWorkerDirectory extends WorkerDirectory {
  close(): Promise<void>;
}

/** Keeps a listing at a few MiB and a step at a few milliseconds. */
const WORKERS_MAX = 1_000;
/** One hash tag: both keys stand on one node of a cluster. */
const BASE = "{bh:workers}";

/**
 * The directory of workers, in Redis. Its calls reject with `service.unavailable` within a few seconds where Redis is
 * away; an emptied Redis is full again after the workers' next announcements. Throws the same when it isn't there at the start.
 */
export async function openWorkerDirectory(input: OpenWorkerDirectoryInput): Promise<OpenedWorkerDirectory> {
  const onError = calmly(input.onError);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-workers", onError });
  defineWorkerSteps(redis);
  return new RedisWorkerDirectory(redis, input.workersMax ?? WORKERS_MAX, onError);
}

class RedisWorkerDirectory implements OpenedWorkerDirectory {
  readonly #redis: RedisClient;
  readonly #workersMax: number;
  readonly #onError: (error: unknown) => void;

  constructor(redis: RedisClient, workersMax: number, onError: (error: unknown) => void) {
    this.#redis = redis;
    this.#workersMax = workersMax;
    this.#onError = onError;
  }

  async announce(facts: WorkerFacts, ttlMs: number): Promise<"announced" | "full"> {
    const text = encodeFacts(facts);
    const listed = await answered(
      this.#redis.bhWorkersAnnounce(BASE, facts.workerId, text, ttlMs, this.#workersMax),
    );
    return listed === 1 ? "announced" : "full";
  }

  async withdraw(workerId: string): Promise<void> {
    await answered(this.#redis.bhWorkersWithdraw(BASE, workerId));
  }

  async list(): Promise<WorkerFacts[]> {
    const texts = await answered(this.#redis.bhWorkersList(BASE));
    const read = texts.flatMap((text) => decodeFacts(text) ?? []);
    const unread = texts.length - read.length;
    if (unread > 0) this.#onError(new Error(`${unread} workers of the directory can't be read`));
    return read.toSorted(
      (a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.workerId < b.workerId ? -1 : 1),
    );
  }

  close(): Promise<void> {
    return disconnect(this.#redis);
  }
}
