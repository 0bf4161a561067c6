import type { ExecutionEvent, ExecutionKey } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { isCluster, type RedisClient } from "@bulkhead/redis";
import type { ChainableCommander } from "ioredis";
import { encodeEvent } from "./event-codec.ts";
import * as names from "./names.ts";

interface Waiter {
  /** Position of its last event in the batch. */
  last: number;
  resolve: (taken: boolean) => void;
  reject: (error: Fault) => void;
}

interface Batch {
  key: ExecutionKey;
  /** Id and JSON in turn, as the step takes them. */
  events: string[];
  bytes: number;
  waiters: Waiter[];
}

type Reply = [error: unknown, taken: unknown];

export interface AppendLimits {
  ttlMs: number;
  eventsMax: number;
  bytesMax: number;
}

const unavailable = (internal: string, cause?: unknown): Fault =>
  new Fault("service.unavailable", { internal, cause });

/**
 * Writes events in the order in which they were given. What is given while a write is under way goes out with the next
 * one, for all executions together; only one is under way at a time, since a write that ioredis repeats (a script that
 * Redis had forgotten) would else arrive behind a later one, and be refused as fenced off.
 */
export class AppendLane {
  readonly #redis: RedisClient;
  readonly #limits: AppendLimits;
  #pending = new Map<string, Batch>();
  #pendingBytes = 0;
  #writing: Promise<void> | undefined;

  constructor(redis: RedisClient, limits: AppendLimits) {
    this.#redis = redis;
    this.#limits = limits;
  }

  /** Answers whether the last event was taken; the events are of one execution. Rejects as `EventStream.append` says. */
  append(key: ExecutionKey, events: ExecutionEvent[]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const encoded = events.map((event) => [event.id, encodeEvent(event)] as const);
      const sizes = encoded.map(([, json]) => Buffer.byteLength(json));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      if (sizes.some((size) => size > names.EVENT_BYTES_MAX)) {
        return reject(new Fault("service.internal", { internal: "an event is larger than EVENT_BYTES_MAX" }));
      }
      if (this.#pendingBytes + bytes > names.PENDING_BYTES_MAX) {
        return reject(unavailable("more events wait to be written than PENDING_BYTES_MAX allows"));
      }
      const name = names.logKey(key);
      const batch = this.#pending.get(name) ?? { key, events: [], bytes: 0, waiters: [] };
      for (const [id, json] of encoded) batch.events.push(id, json);
      batch.bytes += bytes;
      batch.waiters.push({ last: batch.events.length / 2 - 1, resolve, reject });
      this.#pending.set(name, batch);
      this.#pendingBytes += bytes;
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing waits to be written any more. */
  async settle(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What else is appended in this turn of the event loop comes along.
    await Promise.resolve();
    while (this.#pending.size > 0) await this.#write(this.#next());
    this.#writing = undefined;
  }

  #next(): Batch[] {
    const next: Batch[] = [];
    let bytes = 0;
    for (const [name, batch] of this.#pending) {
      if (next.length > 0 && bytes + batch.bytes > names.FLUSH_BYTES_MAX) break;
      bytes += batch.bytes;
      next.push(batch);
      this.#pending.delete(name);
    }
    this.#pendingBytes -= bytes;
    return next;
  }

  async #write(batches: Batch[]): Promise<void> {
    try {
      const replies = isCluster(this.#redis)
        ? await this.#writeEach(batches)
        : await this.#writeTogether(this.#redis.pipeline(), batches);
      batches.forEach((batch, position) => settleBatch(batch, replies[position]));
    } catch (cause) {
      for (const batch of batches) settleBatch(batch, [cause, null]);
    }
  }

  async #writeTogether(pipeline: ChainableCommander, batches: Batch[]): Promise<Reply[]> {
    for (const batch of batches) pipeline.bhAppend(...this.#step(batch));
    return (await pipeline.exec()) ?? [];
  }

  /** A cluster's pipeline goes to one node, and these logs stand on many. */
  #writeEach(batches: Batch[]): Promise<Reply[]> {
    const replies = batches.map((batch) => this.#redis.bhAppend(...this.#step(batch)));
    return Promise.all(
      replies.map((reply) =>
        reply.then(
          (taken): Reply => [null, taken],
          (error: unknown): Reply => [error, null],
        ),
      ),
    );
  }

  #step({ key, events }: Batch) {
    const { ttlMs, eventsMax, bytesMax } = this.#limits;
    const bounds = [ttlMs, eventsMax, bytesMax, names.PUBLISHED_BYTES_MAX];
    return [names.logKey(key), names.tailKey(key), names.channelOf(key), ...bounds, ...events] as const;
  }
}

function settleBatch({ waiters }: Batch, [error, taken]: Reply = [new Error("no reply"), null]): void {
  for (const { last, resolve, reject } of waiters) {
    if (typeof taken === "string" && !error) resolve(taken.charAt(last) === "1");
    else reject(unavailable(`events could not be written: ${String(error)}`, error));
  }
}
