import { startRedisCluster } from "./redis-cluster.ts";
import { startRedisSentinel } from "./redis-sentinel.ts";
import { openTestRedis, type TestRedis } from "./test-redis.ts";

export interface ProductRedis {
  /** The environment of the product's processes besides the URL. */
  env: Record<string, string>;
  server: TestRedis;
}

/** More shards than the three masters, so at least one master has more than one. */
const CLUSTER_SHARDS = "4";

/**
 * A Redis of a product's own: one server, or the kind that the variable BULKHEAD_TEST_REDIS names: `cluster`, `sentinel`.
 */
export async function openProductRedis(
  kind = process.env["BULKHEAD_TEST_REDIS"] ?? "",
): Promise<ProductRedis> {
  if (kind === "cluster") {
    return { server: await startRedisCluster(), env: { DISPATCH_SHARDS: CLUSTER_SHARDS } };
  }
  if (kind === "sentinel") {
    return { server: await startRedisSentinel(), env: {} };
  }
  if (kind !== "") throw new Error("BULKHEAD_TEST_REDIS must be cluster, sentinel or unset");
  return { server: await openTestRedis(), env: {} };
}
