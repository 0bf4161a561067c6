import { type Rate, type RateKey, type RateLimiter, type Taken, Fault } from "@bulkhead/core";
import { calmly } from "../connect/calmly.ts";
import { connect, disconnect, type RedisClient } from "../connect/connect.ts";
import { randomUUID } from "node:crypto";
import { defineStep } from "./step.ts";

/** Takes of one tenant that one step does; bounds for how long it holds up Redis. */
export const STEP_SIZE_MAX = 200;

/** Takers hear of a change for so long; longer than any process trusts its cache. Milliseconds. */
export const CHANGE_MARK_TTL_MS = 60_000;

/** The hash tag keeps the rates of one tenant on one node of a cluster. */
export const rateKeyName = ({ tenantId, name }: RateKey): string => `bh:rate:{${tenantId}}:${name}`;

export const changeMarkName = (tenantId: string): string => `bh:changed:{${tenantId}}`;

export interface OpenRateLimiterInput {
  redisUrl: string;
  /** Told about a broken connection, once per outage; takes fail by themselves. */
  onError: (error: Error) => void;
}

export interface OpenedRateLimiter extends RateLimiter {
  close(): Promise<void>;
}

/** A limiter on a connection of its own. Throws `service.unavailable` when Redis isn't there. */
export async function openRateLimiter(input: OpenRateLimiterInput): Promise<OpenedRateLimiter> {
  const onError = calmly(input.onError);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-rate-limit", onError });
  defineStep(redis);
  return new RedisRateLimiter(redis);
}

interface Take {
  key: RateKey;
  rate: Rate;
  n: number;
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
}

class RedisRateLimiter implements OpenedRateLimiter {
  readonly #redis: RedisClient;
  /** The requests of this turn of the event loop, by tenant. */
  #waiting = new Map<string, Take[]>();

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  take(key: RateKey, rate: Rate, n: number): Promise<Taken> {
    return new Promise((resolve, reject) => {
      // An immediate runs when all sockets that had something to say were heard: requests that came together go together.
      if (this.#waiting.size === 0) setImmediate(() => this.#flush());
      const take = { key, rate, n, resolve, reject };
      const takes = this.#waiting.get(key.tenantId);
      if (takes) takes.push(take);
      else this.#waiting.set(key.tenantId, [take]);
    });
  }

  async markChange(tenantId: string): Promise<void> {
    try {
      await this.#redis.set(changeMarkName(tenantId), randomUUID(), "PX", CHANGE_MARK_TTL_MS);
    } catch (cause) {
      throw new Fault("service.unavailable", { internal: "a change could not be marked", cause });
    }
  }

  close(): Promise<void> {
    return disconnect(this.#redis);
  }

  /** One step for each tenant, all written before the first is answered: one round trip. */
  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const [tenantId, takes] of waiting) {
      for (let from = 0; from < takes.length; from += STEP_SIZE_MAX) {
        void this.#step(tenantId, takes.slice(from, from + STEP_SIZE_MAX));
      }
    }
  }

  async #step(tenantId: string, takes: Take[]): Promise<void> {
    const keys = [changeMarkName(tenantId), ...takes.map(({ key }) => rateKeyName(key))];
    const args = takes.flatMap(({ n, rate }) => [n, rate.count, rate.perMs, rate.burst]);
    try {
      const [changeMark, ...replies] = await this.#redis.bhTake(keys.length, ...keys, ...args);
      takes.forEach(({ rate, resolve }, i) =>
        resolve({ ...takenOf(rate, replies.slice(i * 4, i * 4 + 4)), changeMark }),
      );
    } catch (cause) {
      const fault = new Fault("service.unavailable", {
        detail: "The limits can't be checked at present.",
        internal: `the rate limiter failed: ${String(cause)}`,
        cause,
      });
      for (const { reject } of takes) reject(fault);
    }
  }
}

function takenOf(rate: Rate, reply: number[]): Omit<Taken, "changeMark"> {
  const [allowed = 0, remaining = 0, resetMs = 0, retry = 0] = reply;
  return {
    allowed: allowed === 1,
    limit: rate.burst,
    remaining,
    resetMs,
    retryAfterMs: retry < 0 ? null : retry,
  };
}
