import { Cluster } from "ioredis";
import { clusterOptions, reconnectMs, sentinelOptions, socketOptions } from "./client-options.ts";
import { disconnect, targetOf } from "./connect.ts";
import type { RedisTarget } from "./redis-url.ts";

export interface FetchingInput {
  /** As `REDIS_URL`. */
  redisUrl: string;
  /** Shown by `CLIENT LIST`. */
  name: string;
}

/**
 * A connection for a library that opens its own, for commands which block and which wait for a Redis that is away:
 * options, or for a cluster a client that the library uses and copies. Call `close` after the library has closed its own.
 */
export function fetchingConnection({ redisUrl, name }: FetchingInput) {
  const target = targetOf(redisUrl);
  const perServer = { connectionName: name, maxRetriesPerRequest: null };
  if (target.kind === "cluster") {
    const cluster = new Cluster(target.nodes, clusterOptions(target, perServer));
    // The library tells of them; it has left when the last ones come.
    cluster.on("error", () => undefined);
    return { connection: cluster, close: () => disconnect(cluster) };
  }
  const connection = { ...whereOf(target), ...perServer, retryStrategy: reconnectMs };
  return { connection, close: () => Promise.resolve() };
}

function whereOf(target: Exclude<RedisTarget, { kind: "cluster" }>) {
  if (target.kind === "single") return { url: target.url };
  return target.kind === "socket" ? socketOptions(target) : sentinelOptions(target);
}
