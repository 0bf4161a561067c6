import { Fault } from "@bulkhead/core";
import type { Redis } from "ioredis";
import { isCluster, type RedisClient } from "./connect.ts";

const SLOTS = 16_384;

/** Every server that holds keys. In a cluster they are asked for anew. Rejects where no node of it answers. */
export async function mastersOf(redis: RedisClient): Promise<Redis[]> {
  if (!isCluster(redis)) return [redis];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  redis.refreshSlotsCache((error) => (error ? reject(error) : resolve()));
  await promise;
  return redis.nodes("master");
}

/** Resolves when every key can be reached: all masters answer, and in a cluster each slot has one. Rejects otherwise. */
export async function checkRedis(redis: RedisClient): Promise<void> {
  await Promise.all((await mastersOf(redis)).map((master) => master.ping()));
  if (!isCluster(redis)) return;
  const info = await redis.cluster("INFO");
  const served = Number(/^cluster_slots_ok:(\d+)/mu.exec(info)?.[1] ?? 0);
  if (served < SLOTS)
    throw new Fault("service.unavailable", {
      internal: `the Redis Cluster serves ${served} of ${SLOTS} slots`,
    });
}

/** Calls `listener` whenever a server that was away may be back; the returned function ends that. */
export function onReturn(redis: RedisClient, listener: () => void): () => void {
  // The client of a cluster stays ready while one node is away, and connects to it anew when it is back or replaced.
  const events = isCluster(redis) ? ["ready", "+node"] : ["ready"];
  for (const event of events) redis.on(event, listener);
  return () => {
    for (const event of events) redis.off(event, listener);
  };
}
