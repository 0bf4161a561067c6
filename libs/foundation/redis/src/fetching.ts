import { Cluster } from "ioredis";
import { clusterOptions, reconnectMs, sentinelOptions } from "./client-options.ts";
import { disconnect, targetOf } from "./connect.ts";

export interface FetchingInput {
  /** As `REDIS_URL`. */
  redisUrl: string;
  /** Shown by `CLIENT LIST`. */
  name: string;
}

/**
 * What a library gets that opens connections of its own, for commands which block and which wait for a Redis that is away:
 * options, or for a cluster a client that it uses and copies. `close` is to be called when the library has closed its own.
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
  const where = target.kind === "single" ? { url: target.url } : sentinelOptions(target);
  const connection = { ...where, ...perServer, retryStrategy: reconnectMs };
  return { connection, close: () => Promise.resolve() };
}
