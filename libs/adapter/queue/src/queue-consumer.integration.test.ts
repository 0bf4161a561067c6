import { newExecutionId, newTenantId, type AttemptKey, type QueueConsumer } from "@bulkhead/domain";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { attemptName } from "./attempt-name.ts";
import { openExecutionQueue, type OpenedExecutionQueue } from "./execution-queue.ts";
import { openQueueConsumer } from "./queue-consumer.ts";

leakCheck();

let server: TestRedis;
let redis: Redis;
let queue: OpenedExecutionQueue;
let consumers: QueueConsumer[] = [];
let errors: Error[] = [];
const tenantId = newTenantId();

beforeAll(async () => {
  server = await openTestRedis();
  redis = new Redis(server.url);
  redis.on("error", () => undefined);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});
beforeEach(async () => {
  await redis.flushall();
  errors = [];
  queue = await openExecutionQueue({ redisUrl: server.url, onError: () => undefined });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  consumers = [];
  await queue.close();
});

async function consume(
  handle: (attempt: AttemptKey) => Promise<void>,
  options: { concurrency?: number; watchdogMs?: number } = {},
): Promise<QueueConsumer> {
  const consumer = await openQueueConsumer({
    redisUrl: server.url,
    concurrency: options.concurrency ?? 50,
    watchdogMs: options.watchdogMs ?? 5_000,
    handle,
    onError: (error) => errors.push(error),
  });
  consumers.push(consumer);
  return consumer;
}
const newAttempt = (tenant = tenantId): AttemptKey => ({
  tenantId: tenant,
  executionId: newExecutionId(new Date()),
  attempt: 1,
});

/** Something that is held until it is let go. */
function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

test("500 attempts are each handled once, never more of a tenant at once than its cap", async () => {
  const handled: string[] = [];
  let running = 0;
  let most = 0;
  const handle = async (attempt: AttemptKey): Promise<void> => {
    most = Math.max(most, ++running);
    await redis.ping();
    handled.push(attemptName(attempt));
    running--;
    await queue.release(attempt);
  };
  await consume(handle);
  await consume(handle);
  const attempts = Array.from({ length: 500 }, () => newAttempt());
  await Promise.all(attempts.map((attempt) => queue.admit(attempt, 7)));
  await until(() => handled.length >= 500, { what: "all are handled" });
  expect(handled.toSorted()).toEqual(attempts.map(attemptName).toSorted());
  expect(most).toBe(7);
  await until(async () => (await redis.keys("{bh:0}:ready:exe_*")).length === 0, { what: "no job is left" });
  expect(await redis.keys(`{bh:0}:*:${tenantId}`)).toEqual([]);
});

test("a tenant's attempts are handled in the order of their arrival", async () => {
  const attempts = Array.from({ length: 100 }, () => newAttempt());
  for (const attempt of attempts) await queue.admit(attempt, 1);
  const handled: AttemptKey[] = [];
  await consume(async (attempt) => {
    handled.push(attempt);
    await queue.release(attempt);
  });
  await until(() => handled.length === 100, { what: "all are handled" });
  expect(handled).toEqual(attempts);
});

test("an attempt whose handling fails is reported, and the next ones are handled", async () => {
  const handled: string[] = [];
  const bad = newAttempt();
  await consume(async (attempt) => {
    handled.push(attempt.executionId);
    if (attempt.executionId === bad.executionId) throw new Error("broken");
  });
  const good = newAttempt();
  await queue.admit(bad, 5);
  await queue.admit(good, 5);
  await until(() => handled.includes(good.executionId), { what: "the good one is handled" });
  expect(errors.map(({ message }) => message)).toEqual([
    `${attemptName(bad)} was not handled: Error: broken`,
  ]);
  await until(async () => (await redis.keys("{bh:0}:ready:exe_*")).length === 0, { what: "no job is left" });
});

test("a worker that dies in the middle leaves a slot that can be released", async () => {
  const never = gate();
  let taken = false;
  const consumer = await consume(async () => {
    taken = true;
    await never.passed;
  });
  const [lost, next] = [newAttempt(), newAttempt()];
  await queue.admit(lost, 1);
  await queue.admit(next, 1);
  await until(() => taken, { what: "the first is taken" });
  await consumer.close();
  await queue.release(lost);
  expect(await redis.lrange("{bh:0}:ready:wait", 0, -1)).toEqual([attemptName(next)]);
  never.open();
});

test("drain waits for what runs and takes nothing new", async () => {
  const held = gate();
  const taken: string[] = [];
  const consumer = await consume(
    async (attempt) => {
      taken.push(attempt.executionId);
      await held.passed;
    },
    { concurrency: 2 },
  );
  const [a, b, c, d] = [newAttempt(), newAttempt(), newAttempt(), newAttempt()];
  for (const attempt of [a, b, c]) await queue.admit(attempt, 10);
  await until(() => taken.length === 2, { what: "two are taken" });
  let drained = false;
  const draining = consumer.drain().then(() => (drained = true));
  await queue.admit(d, 10);
  // A full round trip of the queue: a consumer that still took something would have room to do so.
  expect(await queue.missing([c, d])).toEqual([]);
  expect(drained).toBe(false);
  held.open();
  await draining;
  expect(taken).toEqual([a.executionId, b.executionId]);
  expect(await redis.llen("{bh:0}:ready:wait")).toBe(2);
});

test("an idle consumer that was drained leaves what comes to the others", async () => {
  const drained: string[] = [];
  const first = await consume(async (attempt) => void drained.push(attempt.executionId));
  await first.drain();
  const handled: string[] = [];
  await consume(async (attempt) => void handled.push(attempt.executionId));
  const attempts = Array.from({ length: 20 }, () => newAttempt());
  await Promise.all(attempts.map((attempt) => queue.admit(attempt, 20)));
  await until(() => handled.length === 20, { what: "the other handles all" });
  expect(drained).toEqual([]);
});

test("a consumer goes on after Redis was killed and came back empty", async () => {
  const handled = new Set<string>();
  await consume(async (attempt) => void handled.add(attempt.executionId));
  const before = newAttempt();
  await queue.admit(before, 5);
  await until(() => handled.has(before.executionId), { what: "one is handled before" });
  await server.restartEmpty();
  const after = newAttempt();
  await until(() => queue.admit(after, 5).then(() => true), { what: "admitting works again" });
  await until(() => handled.has(after.executionId), { what: "one is handled after", timeoutMs: 20_000 });
});

test("what runs while Redis is away ends, and drain does not wait for Redis", async () => {
  const held = gate();
  let ended = false;
  let taken = false;
  const consumer = await consume(async () => {
    taken = true;
    await held.passed;
    ended = true;
  });
  await queue.admit(newAttempt(), 1);
  await until(() => taken, { what: "it is taken" });
  await server.kill();
  held.open();
  await consumer.drain();
  expect(ended).toBe(true);
  await consumer.close();
  await server.restartEmpty();
});

test("a worker that looks alive but takes nothing is replaced", async () => {
  const handled: string[] = [];
  await consume(async (attempt) => void handled.push(attempt.executionId), { watchdogMs: 50 });
  const blocked = async (): Promise<string | undefined> =>
    String(await redis.client("LIST"))
      .split("\n")
      .find((line) => line.includes("cmd=bzpopmin"));
  await until(blocked, { what: "the worker waits for work" });
  const attempt = newAttempt();
  // The job is there, but nothing wakes who waits for it: as after a reconnect that lost the wake-up.
  await redis
    .multi()
    .hset(
      `{bh:0}:ready:${attemptName(attempt)}`,
      "name",
      "run",
      "data",
      JSON.stringify(attempt),
      "opts",
      "{}",
    )
    .hset(`{bh:0}:ready:${attemptName(attempt)}`, "timestamp", Date.now(), "delay", 0, "priority", 0)
    .lpush("{bh:0}:ready:wait", attemptName(attempt))
    .exec();
  await until(() => handled.length === 1, { what: "it is handled all the same", timeoutMs: 4_000 });
  expect(errors.map(({ message }) => message)).toContain(
    "jobs wait and none was taken: the queue's worker is replaced",
  );
});

test("a job that names no attempt is thrown away", async () => {
  const handled: AttemptKey[] = [];
  await consume(async (attempt) => void handled.push(attempt));
  const attempt = newAttempt();
  await redis
    .multi()
    .hset("{bh:0}:ready:evil", "name", "run", "data", '{"tenantId":"*"}', "opts", "{}", "timestamp", 1)
    .lpush("{bh:0}:ready:wait", "evil")
    .exec();
  await queue.admit(attempt, 1);
  await until(() => handled.length === 1, { what: "the real one is handled" });
  await until(() => errors.length > 0, { what: "the other is reported" });
  expect(errors[0]?.message).toBe("a job without an attempt was thrown away");
  expect(handled).toEqual([attempt]);
});

test("closing leaves no connection", async () => {
  const consumer = await consume(async () => undefined);
  await consumer.drain();
  await consumer.close();
  await queue.close();
  await until(async () => !String(await redis.client("LIST")).includes("bulkhead"), {
    what: "Redis has no connection of ours",
  });
});
