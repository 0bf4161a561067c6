import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { HandedOut } from "./handed-out.ts";
import { READY_QUEUE } from "./names.ts";
import { ReadyWorker } from "./ready-worker.ts";

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
const attempt = { tenantId: `ten_${"0".repeat(16)}`, executionId: `exe_${"0".repeat(32)}`, attempt: 1 };

const work = (
  handle: (attempt: HandedOut) => Promise<void>,
  handleAgain: (attempt: HandedOut) => Promise<void>,
): ReadyWorker =>
  new ReadyWorker({
    redisUrl: server.url,
    prefix: PREFIX,
    concurrency: 8,
    handle,
    handleAgain,
    onError: () => undefined,
  });

test("what a worker had taken that died is handled again by another, which is told so, and no job is left", async () => {
  const queue = new Queue(READY_QUEUE, { connection: redis, prefix: PREFIX });
  await queue.add("run", { ...attempt, startableMs: 5 }, { jobId: "job" });
  const unasked = vi.fn<(attempt: HandedOut) => Promise<void>>();
  const taken = Promise.withResolvers<void>();
  const neverEnds = Promise.withResolvers<void>();
  const dead = work(() => {
    taken.resolve();
    return neverEnds.promise;
  }, unasked);
  await taken.promise;
  await dead.abandon();
  // Its lock would lapse by itself, some seconds later.
  await redis.del(`${PREFIX}:${READY_QUEUE}:job:lock`);
  const handled: HandedOut[] = [];
  const other = work(unasked, (again) => Promise.resolve(void handled.push(again)));
  await until(() => handled.length > 0, { what: "the other one handles it", timeoutMs: 60_000 });
  expect(handled).toEqual([{ ...attempt, again: true }]);
  expect(unasked).not.toHaveBeenCalled();
  expect(await redis.keys(`${PREFIX}:${READY_QUEUE}:job*`)).toEqual([]);
  await other.stop();
  await other.abandon();
  await queue.close();
});
