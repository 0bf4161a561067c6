import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ReadyWorker } from "./ready-worker.ts";
import { READY_QUEUE } from "./names.ts";

leakCheck();

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await openTestRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const PREFIX = "{test}";
const attemptOf = (n: number) => ({
  tenantId: `ten_${"0".repeat(16)}`,
  executionId: `exe_${n.toString(16).padStart(32, "0")}`,
  attempt: 1,
});

test("each of many jobs begins before the next one is fetched, and none is left behind", async () => {
  const queue = new Queue(READY_QUEUE, { connection: redis, prefix: PREFIX });
  const jobs = Array.from({ length: 20 }, (_, n) => ({ name: "run", data: attemptOf(n) }));
  await queue.addBulk(jobs);
  /** How many were active, taken that is, when each of them began. */
  const activeAt: Promise<number>[] = [];
  const letGo = Promise.withResolvers<void>();
  const worker = new ReadyWorker({
    redisUrl: server.url,
    prefix: PREFIX,
    concurrency: 8,
    handle: async () => {
      activeAt.push(redis.llen(`${PREFIX}:${READY_QUEUE}:active`));
      await letGo.promise;
    },
    onError: () => undefined,
  });
  await until(() => activeAt.length === 8, { what: "as many run as may" });
  expect((await Promise.all(activeAt))[0]).toBe(1);
  letGo.resolve();
  await until(() => activeAt.length === jobs.length, { what: "all have run" });
  await worker.stop();
  await worker.abandon();
  await queue.close();
});
