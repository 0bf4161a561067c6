import {
  type TenantEvent,
  type TenantEvents,
  type TenantEventsGap,
  type TenantNews,
  Fault,
} from "@bulkhead/core";
import { CHECK_MS } from "./names.ts";
import { RedisRunNews, type DroppedNews } from "./run-news.ts";
import type { StreamRedis } from "./stream-redis.ts";
import { followTenant, type FollowTenantDeps } from "./tenant-events-follow.ts";
import { readTenantLog } from "./tenant-events-log.ts";
import * as names from "./tenant-events-names.ts";

export interface OpenTenantEventsInput {
  redis: StreamRedis;
  /** Reports events that could not be published. */
  report: (what: string, error: unknown) => void;
  onDropped: DroppedNews;
  logEventsMax?: number;
  /** How often a follower without messages looks by itself; milliseconds. */
  checkMs?: number;
}

export interface OpenedTenantEvents extends TenantEvents {
  /** Ends every follower, sends news of executions that wait, and leaves the connections to their owner. */
  close(): void;
}

export function openTenantEvents(input: OpenTenantEventsInput): OpenedTenantEvents {
  return new RedisTenantEvents(input);
}

class RedisTenantEvents implements OpenedTenantEvents {
  readonly runs: RedisRunNews;
  readonly #redis: StreamRedis;
  readonly #report: OpenTenantEventsInput["report"];
  readonly #logEventsMax: number;
  readonly #follow: FollowTenantDeps;
  readonly #closing = new AbortController();

  constructor({ redis, report, onDropped, logEventsMax, checkMs }: OpenTenantEventsInput) {
    const { commands, subscriptions, onError } = redis;
    this.#redis = redis;
    this.runs = new RedisRunNews(redis, onDropped);
    this.#report = report;
    this.#logEventsMax = logEventsMax ?? names.TENANT_LOG_EVENTS_MAX;
    this.#follow = {
      subscriptions,
      readLog: (tenantId, after) => readTenantLog(commands, tenantId, after),
      checkMs: checkMs ?? CHECK_MS,
      onError,
    };
  }

  async publish(tenantId: string, news: TenantNews): Promise<void> {
    try {
      const json = JSON.stringify(news);
      if (Buffer.byteLength(json) > names.TENANT_EVENT_BYTES_MAX)
        throw new Fault("service.internal", { internal: "the event is larger than TENANT_EVENT_BYTES_MAX" });
      await this.#redis.commands.bhTenantPublish(
        names.tenantLogKey(tenantId),
        names.tenantFloorKey(tenantId),
        names.tenantChannelOf(tenantId),
        json,
        names.TENANT_LOG_TTL_MS,
        this.#logEventsMax,
      );
    } catch (error) {
      this.#report(`publishing ${news.type} to its tenant's watchers failed`, error);
    }
  }

  async position(tenantId: string): Promise<string> {
    try {
      return (await readTenantLog(this.#redis.commands, tenantId, "")).last;
    } catch (cause) {
      throw new Fault("service.unavailable", { internal: "a tenant's log could not be read", cause });
    }
  }

  follow(tenantId: string, after: string, signal: AbortSignal): AsyncIterable<TenantEvent | TenantEventsGap> {
    return followTenant(this.#follow, tenantId, after, AbortSignal.any([signal, this.#closing.signal]));
  }

  close(): void {
    this.#closing.abort();
    this.runs.close();
  }
}
