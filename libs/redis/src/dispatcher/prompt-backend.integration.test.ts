import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Queue, type RedisQueueBackend } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { promptBackend } from "./prompt-backend.ts";
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
    handleAgain: () => Promise.resolve(),
    onError: () => undefined,
  });
  await until(() => activeAt.length === 8, { what: "as many run as may" });
  // All 8, were they fetched first. Redis may answer this question after the next fetch, but not after two.
  expect((await Promise.all(activeAt))[0]).toBeLessThan(3);
  letGo.resolve();
  await until(() => activeAt.length === jobs.length, { what: "all have run" });
  await worker.stop();
  await worker.abandon();
  await queue.close();
});

describe("what wakes one that waits is not used up by a question that is not passed on", () => {
  let queue: Queue;
  let backend: RedisQueueBackend;
  beforeEach(async () => {
    await redis.flushall();
    queue = new Queue(READY_QUEUE, { connection: redis, prefix: PREFIX });
    const connection = { url: server.url, maxRetriesPerRequest: null };
    const options = { connection, prefix: PREFIX, lockDuration: 15_000 };
    backend = promptBackend(READY_QUEUE, options, { withBlockingConnection: true });
  });
  afterEach(async () => {
    await backend.close();
    await queue.close();
  });
  const add = (n: number) => queue.add("run", attemptOf(n), { jobId: `job-${n}` });
  const take = async (): Promise<unknown> => (await backend.moveToActive("token", "worker"))[1];
  const wakes = (): Promise<number> => redis.zcard(`${PREFIX}:${READY_QUEUE}:marker`);

  test("of a worker that asks on", async () => {
    await add(1);
    expect(await take()).toBe("job-1");
    await add(2);
    expect(await take()).toBeUndefined();
    expect(await backend.waitForJob(1)).toMatchObject({ score: 0 });
    expect(await wakes()).toBe(1);
    expect(await take()).toBe("job-2");
  });

  test("of one that was full, and so did not ask", async () => {
    await add(1);
    expect(await take()).toBe("job-1");
    await add(2);
    expect(await backend.waitForJob(1)).toMatchObject({ score: 0 });
    expect(await wakes()).toBe(1);
    expect(await take()).toBe("job-2");
  });

  test("and one that has looked waits", async () => {
    await add(1);
    expect([await take(), await take()]).toEqual(["job-1", undefined]);
    await backend.waitForJob(1);
    expect(await take()).toBeFalsy();
    expect(await backend.waitForJob(1)).toMatchObject({ member: "0" });
    expect(await wakes()).toBe(0);
    await add(2);
    expect(await backend.waitForJob(1)).toMatchObject({ member: "0" });
    expect(await take()).toBe("job-2");
  });
});
