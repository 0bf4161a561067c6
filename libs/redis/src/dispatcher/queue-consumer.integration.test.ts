import { attemptName, newTenantId, type AttemptKey, type QueueConsumer } from "@bulkhead/core";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  UNPACED,
} from "./fixtures/dispatcher-under-test.ts";
import { openQueueConsumer } from "./queue-consumer.ts";

leakCheck();

const MANY = isNightly ? 500 : 60;

let under: DispatcherUnderTest;
let consumers: QueueConsumer[] = [];
let errors: Error[] = [];
const tenantId = newTenantId();

beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(async () => {
  errors = [];
  await under.begin({ slots: 0 });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  consumers = [];
  await under.end();
});

let consumersOpened = 0;
async function consume(
  handle: (attempt: AttemptKey) => Promise<void>,
  options: { concurrency?: number; watchdogMs?: number } = {},
): Promise<QueueConsumer> {
  const consumer = await openQueueConsumer({
    redisUrl: under.server.url,
    workerId: `worker-${++consumersOpened}`,
    concurrency: options.concurrency ?? 50,
    headroom: () => 1,
    watchdogMs: options.watchdogMs ?? 5_000,
    queue: under.queue,
    handle,
    onError: (error) => errors.push(error),
  });
  consumers.push(consumer);
  return consumer;
}
const capOf = (maxConcurrentExecutions: number) => limited({ ...UNPACED, maxConcurrentExecutions });
const newAttempt = (cap = 50) => admission(tenantId, { current: capOf(cap) });

/** Something that is held until it is let go. */
function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

test("many attempts are each handled once, never more of a tenant at once than its cap", async () => {
  const handled: string[] = [];
  let running = 0;
  let most = 0;
  // Nobody ends before so many run at once as may.
  const full = gate();
  const handle = async (attempt: AttemptKey): Promise<void> => {
    most = Math.max(most, ++running);
    if (running === 7) full.open();
    await full.passed;
    await under.redis.ping();
    handled.push(attemptName(attempt));
    running--;
    await under.queue.release(attempt, 1);
  };
  await consume(handle);
  await consume(handle);
  const attempts = admissions(MANY, { current: capOf(7) }, tenantId);
  await Promise.all(attempts.map((attempt) => under.queue.admit([attempt])));
  await until(() => handled.length >= MANY, { what: "all are handled" });
  expect(handled.toSorted()).toEqual(attempts.map(attemptName).toSorted());
  expect(most).toBe(7);
  await until(async () => (await under.redis.keys("{bh:0}:ready:exe_*")).length === 0, {
    what: "no job is left",
  });
  expect(await under.redis.keys(`{bh:0}:*:${tenantId}`)).toEqual([`{bh:0}:tenant:${tenantId}`]);
});

test("a tenant's attempts are handled in the order of their arrival", async () => {
  const attempts = admissions(20, { current: capOf(1) }, tenantId);
  for (const attempt of attempts) await under.queue.admit([attempt]);
  const handled: string[] = [];
  await consume(async (attempt) => {
    handled.push(attemptName(attempt));
    await under.queue.release(attempt, 1);
  });
  await until(() => handled.length === 20, { what: "all are handled" });
  expect(handled).toEqual(attempts.map(attemptName));
});

test("an attempt whose handling fails is reported, and the next ones are handled", async () => {
  const handled: string[] = [];
  const bad = newAttempt();
  await consume(async (attempt) => {
    handled.push(attempt.executionId);
    if (attempt.executionId === bad.executionId) throw new Error("broken");
  });
  const good = newAttempt();
  await under.queue.admit([bad]);
  await under.queue.admit([good]);
  await until(() => handled.includes(good.executionId), { what: "the good one is handled" });
  expect(errors.map(({ message }) => message)).toEqual([
    `${attemptName(bad)} was not handled: Error: broken`,
  ]);
  await until(async () => (await under.redis.keys("{bh:0}:ready:exe_*")).length === 0, {
    what: "no job is left",
  });
});

test("a worker that dies in the middle leaves a slot that can be released", async () => {
  const never = gate();
  let taken = false;
  const consumer = await consume(async () => {
    taken = true;
    await never.passed;
  });
  const [lost, next] = [newAttempt(1), newAttempt(1)];
  await under.queue.admit([lost]);
  await under.queue.admit([next]);
  await until(() => taken, { what: "the first is taken" });
  await consumer.close();
  await under.announce(10);
  await under.queue.release(lost, null);
  expect(await under.redis.lrange("{bh:0}:ready:wait", 0, -1)).toEqual([attemptName(next)]);
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
  for (const attempt of [a, b, c]) await under.queue.admit([attempt]);
  await until(() => taken.length === 2, { what: "two are taken" });
  let drained = false;
  const draining = consumer.drain().then(() => (drained = true));
  await under.queue.admit([d]);
  // A full round trip of the queue: a consumer that still took something would have room to do so.
  expect(await under.queue.missing([c, d])).toEqual([]);
  expect(drained).toBe(false);
  held.open();
  await draining;
  expect(taken).toEqual([a.executionId, b.executionId]);
  // One was ready for when a slot would become free; without slots nothing follows it.
  expect(await under.ready()).toEqual([attemptName(c)]);
  expect(await under.queue.measure()).toMatchObject([{ slots: 0, backlog: 1 }]);
});

test("an idle consumer that was drained leaves what comes to the others", async () => {
  const drained: string[] = [];
  const first = await consume(async (attempt) => void drained.push(attempt.executionId));
  await first.drain();
  const handled: string[] = [];
  await consume(async (attempt) => void handled.push(attempt.executionId));
  const attempts = admissions(20, { current: capOf(20) }, tenantId);
  await Promise.all(attempts.map((attempt) => under.queue.admit([attempt])));
  await until(() => handled.length === 20, { what: "the other handles all" });
  expect(drained).toEqual([]);
});

test("a consumer goes on after Redis was killed and came back empty", async () => {
  const handled = new Set<string>();
  await consume(async (attempt) => void handled.add(attempt.executionId));
  const before = newAttempt();
  await under.queue.admit([before]);
  await until(() => handled.has(before.executionId), { what: "one is handled before" });
  await under.server.restartEmpty();
  const after = newAttempt();
  await until(() => under.queue.admit([after]).then(() => true), { what: "admitting works again" });
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
  await under.queue.admit([newAttempt()]);
  await until(() => taken, { what: "it is taken" });
  await under.server.kill();
  held.open();
  await consumer.drain();
  expect(ended).toBe(true);
  await consumer.close();
  await under.server.restartEmpty();
});

test("a worker that looks alive but takes nothing is replaced", async () => {
  const handled: string[] = [];
  await consume(async (attempt) => void handled.push(attempt.executionId), { watchdogMs: 50 });
  const blocked = async (): Promise<string | undefined> =>
    String(await under.redis.client("LIST"))
      .split("\n")
      .find((line) => line.includes("cmd=bzpopmin"));
  await until(blocked, { what: "the worker waits for work" });
  const attempt = newAttempt();
  // The job is there, but nothing wakes who waits for it: as after a reconnect that lost the wake-up.
  await under.redis
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
  await until(() => handled.length === 1, { what: "it is handled all the same" });
  expect(errors.map(({ message }) => message)).toContain(
    "jobs wait and none was taken: the queue's worker is replaced",
  );
});

test("a job that names no attempt is thrown away", async () => {
  const handled: AttemptKey[] = [];
  await consume(async (attempt) => void handled.push(attempt));
  const attempt = newAttempt();
  await under.redis
    .multi()
    .hset("{bh:0}:ready:evil", "name", "run", "data", '{"tenantId":"*"}', "opts", "{}", "timestamp", 1)
    .lpush("{bh:0}:ready:wait", "evil")
    .exec();
  await under.queue.admit([attempt]);
  await until(() => handled.length === 1, { what: "the real one is handled" });
  await until(() => errors.length > 0, { what: "the other is reported" });
  expect(errors[0]?.message).toBe("a job without an attempt was thrown away");
  expect(handled.map(attemptName)).toEqual([attemptName(attempt)]);
});

test("closing leaves no connection", async () => {
  const consumer = await consume(async () => undefined);
  await consumer.drain();
  await consumer.close();
  await under.end();
  await until(async () => !String(await under.redis.client("LIST")).includes("bulkhead"), {
    what: "Redis has no connection of ours",
  });
});
