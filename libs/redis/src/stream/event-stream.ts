import {
  type EndWatch,
  type EventStream,
  type ExecutionEvent,
  type ExecutionKey,
  type FindExecution,
  type LogStore,
  type StreamGap,
  Fault,
} from "@bulkhead/core";
import { calmly } from "../connect/calmly.ts";
import { TenantPermits } from "@bulkhead/process";
import { AppendLane } from "./append-lane.ts";
import { EndWatches } from "./end-watches.ts";
import { follow, type FollowDeps } from "./follow.ts";
import * as names from "./names.ts";
import { readKept } from "./read-kept.ts";
import { readLog } from "./read-log.ts";
import type { StreamRedis } from "./stream-redis.ts";

export interface OpenEventStreamInput {
  redis: StreamRedis;
  /** Answers when the log has no answer. */
  findExecution: FindExecution;
  /** Holds the logs that have left Redis. */
  logs: Pick<LogStore, "readPiece">;
  /** Called when neither can be read, once per outage; followers go on when they can be read again. */
  report: (what: string, error: unknown) => void;
  /** How long a log stays after its last event; milliseconds. */
  ttlMs?: number;
  logEventsMax?: number;
  logBytesMax?: number;
  /** How often a follower without messages looks by itself; milliseconds. */
  checkMs?: number;
}

export interface OpenedEventStream extends EventStream {
  /** Ends every follower, sends appended events, and leaves the connections to their owner. */
  close(): Promise<void>;
}

/**
 * `append` rejects with `service.unavailable` within a few seconds when Redis is away, at once if that is known; a
 * rejected event may have been written. `follow` and `watchEnd` survive such times.
 */
export function openEventStream(input: OpenEventStreamInput): OpenedEventStream {
  return new RedisEventStream(input);
}

/** An id above those of all attempts. */
const ABOVE_ALL = "999999999999999-999999999999999";

class RedisEventStream implements OpenedEventStream {
  readonly #redis: StreamRedis["commands"];
  readonly #ttlMs: number;
  readonly #lane: AppendLane;
  readonly #follow: FollowDeps;
  readonly #watches: EndWatches;
  readonly #closing = new AbortController();

  constructor({ redis, findExecution, logs, report, ...limits }: OpenEventStreamInput) {
    const { subscriptions, onError } = redis;
    const onRowError = calmly((error) => report("reading the end of an execution failed", error));
    const checkMs = limits.checkMs ?? names.CHECK_MS;
    this.#redis = redis.commands;
    this.#ttlMs = limits.ttlMs ?? names.LOG_TTL_MS;
    this.#lane = new AppendLane(redis.commands, {
      ttlMs: this.#ttlMs,
      eventsMax: limits.logEventsMax ?? names.LOG_EVENTS_MAX,
      bytesMax: limits.logBytesMax ?? names.LOG_BYTES_MAX,
    });
    this.#follow = {
      subscriptions,
      readLog: (key, cursor) => readLog(redis.commands, key, cursor),
      readKept: (key, cursor) => readKept(logs, key, cursor),
      findExecution,
      keptReads: new TenantPermits(names.KEPT_READS_MAX),
      largeEnds: new TenantPermits(names.LARGE_ENDS_MAX),
      checkMs,
      onError,
      onRowError,
    };
    this.#watches = new EndWatches({ subscriptions, findExecution, checkMs, onRowError });
  }

  async append(tenantId: string, events: ExecutionEvent[]): Promise<boolean> {
    const byExecution = Map.groupBy(events, ({ executionId }) => executionId);
    const taken = await Promise.all(
      [...byExecution].map(async ([executionId, own]) => ({
        executionId,
        taken: await this.#lane.append({ tenantId, executionId }, own),
      })),
    );
    const last = events.at(-1)?.executionId;
    return taken.find(({ executionId }) => executionId === last)?.taken ?? true;
  }

  follow(
    key: ExecutionKey,
    after: string | null,
    signal: AbortSignal,
  ): AsyncIterable<ExecutionEvent | StreamGap> {
    return follow(this.#follow, key, after, AbortSignal.any([signal, this.#closing.signal]));
  }

  async erase(key: ExecutionKey): Promise<void> {
    await this.#redis
      .bhErase(names.logKey(key), names.tailKey(key), ABOVE_ALL, this.#ttlMs)
      .catch((cause: unknown) => {
        throw new Fault("service.unavailable", { internal: "erasing a log failed", cause });
      });
  }

  watchEnd(key: ExecutionKey): EndWatch {
    return this.#watches.watch(key);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#watches.close();
    await this.#lane.settle();
  }
}
