import { newTenantId, type Admission } from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  namesOf,
  UNPACED,
} from "./fixtures/dispatcher-under-test.ts";
import { openExecutionQueue } from "./open-execution-queue.ts";
import { shardOf } from "./shard-of.ts";

leakCheck();

let under: DispatcherUnderTest;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => under.begin());
afterEach(async () => {
  await under.redis.config("SET", "maxmemory", "0");
  await under.redis.config("SET", "maxmemory-policy", "noeviction");
  await under.end();
});

/** Fills every kind of key of one tenant. A tool's rate key expires when its next start is due. */
async function fill(tenantId: string, perSecond = 1): Promise<Admission[]> {
  const tool = { id: "tool_0000000000000001", maxConcurrent: 1, perSecond };
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 5 });
  const all = [
    ...admissions(10, { current, tool }, tenantId),
    ...admissions(10, { current, delayMs: 60_000 }, tenantId),
    ...admissions(10, { current }, tenantId),
  ];
  await under.queue.reserve({
    tenantId,
    executionIds: all.map(({ executionId }) => executionId),
    current,
    timeoutMs: 3_600_000,
    priority: 4,
  });
  await under.queue.admit(all);
  await under.queue.renew(all.filter((_, n) => n === 0));
  return all;
}
const KINDS =
  "backlog inflight tenant charges extras leases ring throttled capped delayed parked tool-inflight tool-tat " +
  "virtual-time workers slots slots-total capacity capacity-total ready";
const isBullmqs = (key: string): boolean => key.includes(":ready:");

test("every key of the dispatcher has an expiry at every moment, and what a worker touches of BullMQ's too", async () => {
  // So slow that nothing becomes due, or expires, before it was looked at.
  const perSecond = 0.001;
  const throttled = limited({ executionsPerSecond: perSecond, executionBurst: 1 });
  const paced = admissions(3, { current: throttled });
  await under.queue.admit(paced);
  const attempts = await fill(newTenantId(), perSecond);
  await under.queue.missing([...paced, ...attempts]);
  await under.announce(1);
  await under.queue.admit(admissions(1));
  const keys = await under.redis.keys("*");
  const kinds = new Set(keys.map((key) => key.split(":")[2]));
  expect([...kinds]).toEqual(expect.arrayContaining(KINDS.split(" ")));
  for (const key of keys) expect(await under.redis.pttl(key), key).toBeGreaterThan(0);
});

test("at rest nothing is left but what is known of the tenants, for days at most", async () => {
  const tenants = [newTenantId(), newTenantId()];
  for (const tenantId of tenants) {
    const attempts = await fill(tenantId);
    const late = admissions(1, { delayMs: 1 }, tenantId);
    await under.queue.admit(late);
    attempts.push(...late);
    for (const attempt of attempts.toReversed()) await under.queue.release(attempt, 7);
  }
  await under.end();
  await until(async () => (await under.redis.keys("*tool-tat*")).length === 0, {
    what: "rates are forgotten",
  });
  const left = (await under.redis.keys("*")).filter((key) => !isBullmqs(key));
  expect(left.toSorted()).toEqual(
    [
      "{bh:0}:slots-total",
      "{bh:0}:capacity-total",
      ...tenants.map((id) => `{bh:0}:tenant:${id}`),
      "{bh:0}:virtual-time",
    ].toSorted(),
  );
  expect((await under.redis.hkeys(`{bh:0}:tenant:${tenants[0]}`)).toSorted()).toEqual(
    ["limits", "mean", "runs", "tag", "tat"].toSorted(),
  );
});

test("a Redis that may evict is refused at the start, with what to do", async () => {
  for (const policy of ["allkeys-lru", "volatile-ttl"]) {
    await under.redis.config("SET", "maxmemory-policy", policy);
    const opening = openExecutionQueue({ redisUrl: under.server.url, onError: () => undefined });
    await expect(opening).rejects.toThrow("set maxmemory-policy noeviction");
  }
});

test("a full Redis takes nothing new and says so, but lets go of what has ended", async () => {
  const held = admissions(1);
  await under.queue.admit(held);
  const { tenantId } = held[0]!;
  await under.redis.config("SET", "maxmemory", "1");
  const wanted = {
    tenantId,
    executionIds: [held[0]!.executionId],
    current: limited({}),
    timeoutMs: 1_000,
    priority: 4,
  };
  const calls = [
    under.queue.admit(admissions(1)),
    under.queue.reserve({ ...wanted, executionIds: [admission(tenantId).executionId] }),
  ];
  for (const outcome of await Promise.allSettled(calls))
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "service.unavailable" } });
  await under.queue.release(held[0]!, 5);
  expect(await under.slots(tenantId)).toBe(0);
  await under.redis.config("SET", "maxmemory", "0");
  await under.queue.admit(admissions(1));
});

test("scripts that Redis forgot are loaded again, in the middle of many calls too", async () => {
  await under.queue.admit(admissions(5));
  for (let round = 0; round < 5; round++) {
    await under.redis.script("FLUSH");
    const attempts = admissions(10, { current: limited(UNPACED) });
    await Promise.all(attempts.map((attempt) => under.queue.admit([attempt])));
    await under.redis.script("FLUSH");
    expect(await under.queue.missing(attempts)).toEqual([]);
    await under.redis.script("FLUSH");
    await Promise.all(attempts.map((attempt) => under.queue.release(attempt, 1)));
    await under.queue.dispatch();
  }
  expect(await under.ready()).toHaveLength(5);
});

test("two queues side by side share the cap and hand each attempt out once", async () => {
  const another = await under.another();
  const attempts = admissions(60, { current: limited({ ...UNPACED, maxConcurrentExecutions: 7 }) });
  await Promise.all(attempts.map((attempt, n) => (n % 2 === 0 ? under.queue : another).admit([attempt])));
  const taken: string[] = [];
  let most = 0;
  for (let next = await under.take(); next !== null; next = await under.take()) {
    most = Math.max(most, await under.slots(next.tenantId));
    taken.push(...namesOf([next]));
    await (taken.length % 2 === 0 ? under.queue : another).release(next, 3);
  }
  expect(taken.toSorted()).toEqual(namesOf(attempts).toSorted());
  expect(most).toBe(7);
});

test("each tenant is on one of several shards, and every call finds it there", async () => {
  await under.end();
  await under.begin({ shards: 4, slots: 100 });
  const current = limited({ maxConcurrentExecutions: 1 });
  const tenants = Array.from({ length: 40 }, () => newTenantId());
  const attempts = tenants.flatMap((tenantId) => admissions(2, { current }, tenantId));
  await under.queue.admit(attempts);
  const measures = await under.queue.measure();
  expect(measures.map(({ shard }) => shard)).toEqual([0, 1, 2, 3]);
  for (const { shard, inflight, backlog, slots } of measures) {
    const own = tenants.filter((tenantId) => shardOf(tenantId, 4) === shard).length;
    expect({ inflight, backlog, slots }).toEqual({ inflight: own, backlog: own, slots: 100 });
  }
  expect(await under.queue.missing(attempts)).toEqual([]);
  for (const attempt of attempts) await under.queue.release(attempt, 1);
  expect((await under.queue.measure()).every(({ inflight, backlog }) => inflight + backlog === 0)).toBe(true);
});

test("gauges of more tenants than are looked at are scaled up from a sample", async () => {
  const current = limited({ maxConcurrentExecutions: 1 });
  await under.queue.admit(Array.from({ length: 1_200 }, () => admissions(3, { current })).flat());
  const [measure] = await under.queue.measure();
  expect(measure).toMatchObject({ inflight: 1_200, ready: 1_200, backlog: 2_400, startable: 1_200 });
});

test("what a worker said is forgotten with it, also where one of an older version let go of it", async () => {
  const total = () => under.redis.get("{bh:0}:capacity-total").then(Number);
  await under.announce(3);
  await under.redis.bhAnnounce("{bh:0}", "gone", 5, 1, 60_000, 7);
  await until(async () => (await under.queue.dispatchDue(), await total()) === 3, {
    what: "it has fallen silent",
  });
  await under.redis.bhAnnounce("{bh:0}", "halved", 5, 60_000, 60_000, 7);
  // In one go: others announce meanwhile.
  const steps = under.redis.multi().zrem("{bh:0}:workers", "halved").hdel("{bh:0}:slots", "halved");
  const done = await steps.decrby("{bh:0}:slots-total", 5).get("{bh:0}:capacity-total").exec();
  expect(done?.at(-1)).toEqual([null, "10"]);
  await under.announce(3);
  expect(await total()).toBe(3);
});
