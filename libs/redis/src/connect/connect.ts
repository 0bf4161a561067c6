import { Fault, reasonOf } from "@bulkhead/core";
import { Cluster, type Redis } from "ioredis";
import { FAIL_FAST, reconnectMs, sentinelOptions, socketOptions } from "./client-options.ts";
import { FailFastCluster } from "./fail-fast-cluster.ts";
import { FailFastRedis } from "./fail-fast-redis.ts";
import { parseRedisUrl, placeOf, type RedisTarget } from "./redis-url.ts";

/** How long opening waits for Redis. Milliseconds. */
const OPEN_MS_MAX = 10_000;
const CLOSE_MS_MAX = 1_000;

/** One Redis, the master that Sentinels name, or all masters of a cluster: the same commands, each on the keys of one slot. */
export type RedisClient = Redis | Cluster;

export const isCluster = (redis: RedisClient): redis is Cluster => redis instanceof Cluster;

export interface ConnectInput {
  /** As `REDIS_URL`. */
  redisUrl: string;
  /** Shown by `CLIENT LIST`. */
  name: string;
  onError: (error: Error) => void;
}

/** The target that the URL names. Throws `service.internal` for a URL that settings would have refused. */
export function targetOf(redisUrl: string): RedisTarget {
  const parsed = parseRedisUrl(redisUrl);
  if (parsed.ok) return parsed.target;
  throw new Fault("service.internal", { internal: `the URL of Redis ${parsed.fault}` });
}

/**
 * A connection whose commands fail within `COMMAND_MS_MAX` when Redis is away, at once if that is known. Reconnects by
 * itself for ever. Throws `service.unavailable` when Redis is not there within `OPEN_MS_MAX`.
 */
export async function connect({ redisUrl, name, onError }: ConnectInput): Promise<RedisClient> {
  const target = targetOf(redisUrl);
  const redis = clientOf(target, name);
  redis.on("error", onError);
  await becomesReady(redis, target);
  return redis;
}

function clientOf(target: RedisTarget, name: string): RedisClient {
  if (target.kind === "cluster") return new FailFastCluster(target, name);
  const options = {
    ...FAIL_FAST,
    connectionName: name,
    enableOfflineQueue: false,
    retryStrategy: reconnectMs,
  };
  if (target.kind === "single") return new FailFastRedis(target.url, options);
  const where = target.kind === "socket" ? socketOptions(target) : sentinelOptions(target);
  return new FailFastRedis({ ...where, ...options });
}

/** Ends a connection that does not come up in time, and throws `service.unavailable` with its place and the last reason. */
export async function becomesReady(redis: RedisClient, target: RedisTarget): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let lastError: Error | undefined;
  const remember = (error: Error): void => void (lastError = error);
  const events = ["error", "sentinelError", "node error"];
  for (const event of events) redis.on(event, remember);
  try {
    await new Promise<void>((resolve, reject) => {
      redis.once("ready", resolve);
      timer = setTimeout(
        () => reject(new Error(`no Redis within ${OPEN_MS_MAX} ms`, { cause: lastError })),
        OPEN_MS_MAX,
      );
    });
  } catch (cause) {
    redis.disconnect();
    const internal = `Redis at ${placeOf(target)} can't be reached: ${reasonOf(lastError ?? cause)}`;
    throw new Fault("service.unavailable", { internal, cause });
  } finally {
    clearTimeout(timer);
    for (const event of events) redis.off(event, remember);
  }
}

/** Ends a connection; resolves when its sockets are gone. */
export async function disconnect(redis: RedisClient): Promise<void> {
  // While it waits to reconnect there is no socket, and no event would come.
  if (redis.status === "end" || redis.status === "reconnecting") {
    redis.disconnect();
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    redis.once("end", resolve);
    timer = setTimeout(resolve, CLOSE_MS_MAX);
    redis.disconnect();
  });
  clearTimeout(timer);
}
