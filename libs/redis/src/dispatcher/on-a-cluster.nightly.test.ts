import { newTenantId, type AttemptKey } from "@bulkhead/core";
import { leakCheck, startRedisCluster, until, type TestRedisCluster } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admission } from "./fixtures/dispatcher-under-test.ts";
import { openExecutionQueue } from "./open-execution-queue.ts";
import { openQueueConsumer } from "./queue-consumer.ts";
import { openWorkerDirectory } from "./workers/worker-directory.ts";
import { shardOf } from "./shard-of.ts";

leakCheck();

const SHARDS = 4;
let cluster: TestRedisCluster;
const onError = (): void => undefined;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster.close());

/** A tenant of each shard. */
const tenants = Array.from({ length: SHARDS }, (_, shard) => {
  for (;;) {
    const tenantId = newTenantId();
    if (shardOf(tenantId, SHARDS) === shard) return tenantId;
  }
});

test("every shard's attempts are handed out once, wherever its keys are, also after a master was away", async () => {
  const shared = { redisUrl: cluster.url, shards: SHARDS, onError };
  const queue = await openExecutionQueue(shared);
  const handled: string[] = [];
  const handle = async (attempt: AttemptKey): Promise<void> => {
    handled.push(attempt.executionId);
    await queue.release(attempt, 1);
  };
  const consumer = await openQueueConsumer({
    ...shared,
    workerId: "wrk_a",
    concurrency: 8,
    headroom: () => 1,
    queue,
    handle,
    watchdogMs: 500,
  });
  try {
    const round = () => tenants.flatMap((tenantId) => Array.from({ length: 5 }, () => admission(tenantId)));
    const first = round();
    await queue.admit(first);
    await until(() => handled.length >= first.length, { what: "all are handled" });
    expect(handled.toSorted()).toEqual(first.map(({ executionId }) => executionId).toSorted());
    // Each shard's keys are at one master, and not all at the same one.
    const used = await Promise.all(cluster.masters.map((node) => node.ask("DBSIZE")));
    expect(used.filter((size) => size !== ":0\r\n").length).toBeGreaterThan(1);

    for (const node of cluster.masters) {
      await node.kill();
      await node.startAgain();
    }
    await cluster.isWhole();
    const second = round();
    const left = (): typeof second => second.filter(({ executionId }) => !handled.includes(executionId));
    // Like the sweeps, this admits every attempt again that Redis has lost or never got.
    await until(
      async () => {
        await queue.admit(left()).catch(onError);
        return left().length === 0;
      },
      { what: "all are handled after the masters were away", timeoutMs: 20_000 },
    );
    await consumer.drain();
  } finally {
    await consumer.close();
    await queue.close();
  }
});

test("workers are listed", async () => {
  const directory = await openWorkerDirectory({ redisUrl: cluster.url, onError });
  expect(await directory.list()).toEqual([]);
  await directory.close();
});

test("one master that may evict keys is enough to be refused", async () => {
  await cluster.masters[1]?.ask("CONFIG SET maxmemory-policy allkeys-lru");
  await expect(openExecutionQueue({ redisUrl: cluster.url, onError })).rejects.toMatchObject({
    code: "service.unavailable",
    message: expect.stringContaining("noeviction"),
  });
  await cluster.masters[1]?.ask("CONFIG SET maxmemory-policy noeviction");
});
