import { calmly } from "../connect/calmly.ts";
import { connect, disconnect } from "../connect/connect.ts";
import { mastersOf } from "../connect/masters.ts";
import { answered } from "./answered.ts";
import { DispatcherShard } from "./dispatcher-shard.ts";
import { ShardedExecutionQueue, type OpenedExecutionQueue } from "./execution-queue.ts";
import * as names from "./names.ts";
import { refuseEviction } from "./refuse-eviction.ts";
import { allShards } from "./shard-of.ts";
import { defineSteps } from "./steps.ts";

export interface OpenExecutionQueueInput {
  redisUrl: string;
  /** How many dispatcher shards there are, the same in every process; 1 when unset, at most `SHARDS_MAX`. */
  shards?: number;
  /** How long a handed-out attempt and a running one hold their slots unrenewed; milliseconds. */
  handedOutLeaseMs?: number;
  runningLeaseMs?: number;
  /** How long a reservation stands without an admission; milliseconds. */
  reservedMs?: number;
  /** Told about a broken connection, once per outage; commands fail by themselves. */
  onError: (error: Error) => void;
}

/**
 * The producers' side. Every method rejects with `service.unavailable` within a few seconds when Redis is away or full;
 * the command may or may not have taken effect, and may be repeated. Throws the same when Redis isn't there at the start,
 * or when it may evict keys.
 */
export async function openExecutionQueue(input: OpenExecutionQueueInput): Promise<OpenedExecutionQueue> {
  const onError = calmly(input.onError);
  const shards = allShards(input.shards ?? 1);
  const redis = await connect({ redisUrl: input.redisUrl, name: "bulkhead-queue", onError });
  try {
    await refuseEviction(await answered(mastersOf(redis)));
  } catch (error) {
    await disconnect(redis);
    throw error;
  }
  defineSteps(redis);
  const settings = {
    redis,
    handedOutLeaseMs: input.handedOutLeaseMs ?? names.HANDED_OUT_LEASE_MS,
    runningLeaseMs: input.runningLeaseMs ?? names.RUNNING_LEASE_MS,
    reservedMs: input.reservedMs ?? names.RESERVED_MS,
    onError,
  };
  const opened = shards.map((shard) => new DispatcherShard({ ...settings, shard }));
  return new ShardedExecutionQueue(redis, opened);
}
