import { availableParallelism } from "node:os";
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
import { shardOf } from "./shard-of.ts";

leakCheck();

const PER_TENANT = isNightly ? 25 : 4;

let under: DispatcherUnderTest;
let consumers: QueueConsumer[] = [];
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => under.begin({ slots: 0 }));
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  consumers = [];
  await under.end();
});

async function consume(
  handle: (attempt: AttemptKey) => Promise<void>,
  { concurrency = 50, shards = 1, headroom = (): number => 1 } = {},
): Promise<QueueConsumer> {
  const consumer = await openQueueConsumer({
    redisUrl: under.server.url,
    shards,
    workerId: `worker-${consumers.length}`,
    concurrency,
    headroom,
    queue: under.queue,
    handle,
    onError: () => undefined,
  });
  consumers.push(consumer);
  return consumer;
}
const capOf = (maxConcurrentExecutions: number) => limited({ ...UNPACED, maxConcurrentExecutions });

test("delays, rates and late slots need nobody but the workers' own ticks", async () => {
  const handled: string[] = [];
  const paced = limited({ executionsPerSecond: 50, executionBurst: 1 });
  const attempts = [...admissions(5, { current: paced }), admission(newTenantId(), { delayMs: 100 })];
  await under.queue.admit(attempts);
  await consume(async (attempt) => {
    handled.push(attemptName(attempt));
    await under.queue.release(attempt, 1);
  });
  await until(() => handled.length === 6, { what: "all are handled" });
  expect(handled.toSorted()).toEqual(attempts.map(attemptName).toSorted());
});

test("a consumer's slots count from its start to its drain, those of all consumers together", async () => {
  const first = await consume(async () => undefined, { concurrency: 3 });
  await consume(async () => undefined, { concurrency: 4 });
  expect(await under.queue.measure()).toMatchObject([{ slots: 7 }]);
  await first.drain();
  expect(await under.queue.measure()).toMatchObject([{ slots: 4 }]);
});

test("all shards together never run more than the concurrency, and each shard's attempts are handled", async () => {
  await under.end();
  await under.begin({ slots: 0, shards: 3 });
  const tenants = Array.from({ length: 12 }, () => newTenantId());
  const attempts = tenants.flatMap((tenant) => admissions(PER_TENANT, { current: capOf(50) }, tenant));
  expect(new Set(tenants.map((tenant) => shardOf(tenant, 3))).size).toBeGreaterThan(1);
  const handled: string[] = [];
  let running = 0;
  let most = 0;
  // Nobody ends before so many run at once as may.
  const full = Promise.withResolvers<void>();
  const handle = async (attempt: AttemptKey): Promise<void> => {
    most = Math.max(most, ++running);
    if (running === 4) full.resolve();
    await full.promise;
    await under.redis.ping();
    handled.push(attemptName(attempt));
    running--;
    await under.queue.release(attempt, 1);
  };
  await consume(handle, { concurrency: 4, shards: 3 });
  await under.queue.admit(attempts);
  await until(() => handled.length >= attempts.length, { what: "all are handled" });
  expect(handled.toSorted()).toEqual(attempts.map(attemptName).toSorted());
  expect(most).toBe(4);
});

test("while the processors are busy a consumer offers fewer slots, and all again when they are not", async () => {
  let headroom = 0;
  await consume(async () => undefined, { headroom: () => headroom });
  const offered = async () => (await under.queue.measure())[0]?.slots ?? 0;
  await until(async () => (await offered()) < 25, { what: "fewer slots" });
  headroom = 1;
  await until(async () => (await offered()) === 50, { what: "all slots" });
});

test.runIf(isNightly)("runs that last keep nobody out, however busy the processors are", async () => {
  const lasting = 50;
  let running = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => void (end = resolve));
  const handle = async (attempt: AttemptKey): Promise<void> => {
    running++;
    await ended;
    await under.queue.release(attempt, 1);
  };
  await consume(handle, { headroom: () => 0 });
  const fewest = 2 + 2 * availableParallelism();
  await until(async () => (await under.queue.measure())[0]?.slots === Math.min(fewest, 50), {
    what: "the fewest slots",
  });
  await under.queue.admit(admissions(lasting, { current: capOf(lasting) }));
  await until(() => running === lasting, { what: "all run at once", timeoutMs: 20_000 });
  end();
});
