import { newTenantId } from "@bulkhead/core";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  namesOf,
  UNPACED,
} from "./fixtures/dispatcher-under-test.ts";

leakCheck();
// The tests make thousands of round trips to Redis, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let under: DispatcherUnderTest;
let tenantId: string;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(async () => {
  tenantId = newTenantId();
  await under.begin();
});
afterEach(() => under.end());

/** When each attempt was handed out, as its lease tells: exact, by Redis's own clock. Milliseconds. */
async function handedOutAt(leaseMs: number): Promise<number[]> {
  const leases = await under.redis.zrange("{bh:0}:leases", "0", "-1", "WITHSCORES");
  return leases.filter((_, n) => n % 2 === 1).map((deadline) => Number(deadline) - leaseMs);
}

/** The most that any window of the given times holds beyond `rate` times its length. */
function mostBeyond(times: number[], ratePerMs: number): number {
  let most = 0;
  for (const [i, from] of times.entries()) {
    for (const [j, to] of times.entries()) {
      if (j >= i) most = Math.max(most, j - i + 1 - ratePerMs * (to - from));
    }
  }
  return most;
}

test("over any window a tenant starts at most its rate times the window, and its burst", async () => {
  const current = limited({ executionsPerSecond: 100, executionBurst: 5, maxConcurrentExecutions: 1_000 });
  await under.queue.admit(admissions(60, { current }, tenantId));
  expect(await under.ready()).toHaveLength(5);
  expect(await under.queue.measure()).toMatchObject([{ throttledTenants: 1, backlog: 0, startable: 5 }]);
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length === 60), {
    what: "all were handed out",
  });
  expect(mostBeyond(await handedOutAt(60_000), 0.1)).toBeLessThan(5.01);
});

test("a throttled tenant stops nobody else, and tells when it is due", async () => {
  const current = limited({ executionsPerSecond: 0.01, executionBurst: 1 });
  await under.queue.admit(admissions(3, { current }, tenantId));
  const other = admission(newTenantId());
  await under.queue.admit([other]);
  expect(await under.ready()).toHaveLength(2);
  const { dueInMs, workers } = await under.queue.dispatchDue();
  expect(dueInMs).toBeGreaterThan(0);
  expect(dueInMs).toBeLessThanOrEqual(100_000);
  expect(workers).toBe(1);
});

test("a lowered cap holds for a tenant that a worker of an older version put into the ring", async () => {
  await under.announce(1);
  await under.queue.admit(admissions(8, { current: limited({ maxConcurrentExecutions: 5 }, 1) }, tenantId));
  const running = (await under.ready()).length;
  expect(running).toBeGreaterThan(0);
  await under.redis.hdel(`{bh:0}:tenant:${tenantId}`, "place");
  await under.queue.setLimits(tenantId, limited({ maxConcurrentExecutions: 1 }, 2));
  await under.announce(100);
  await under.queue.dispatch();
  expect(await under.ready()).toHaveLength(running);
  expect(await under.redis.zscore("{bh:0}:ring", tenantId)).toBeNull();
});

test("a raised cap holds in the same step, a lowered one from the next dispatch on", async () => {
  const attempts = admissions(10, { current: limited({ maxConcurrentExecutions: 2 }, 1) }, tenantId);
  await under.queue.admit(attempts);
  await under.queue.setLimits(tenantId, limited({ maxConcurrentExecutions: 5 }, 2));
  expect(await under.ready()).toEqual(namesOf(attempts.slice(0, 5)));
  await under.queue.setLimits(tenantId, limited({ maxConcurrentExecutions: 1 }, 3));
  for (const attempt of attempts.slice(0, 4)) await under.queue.release(attempt, 1);
  expect(await under.slots(tenantId)).toBe(1);
  await under.queue.release(attempts[4]!, 1);
  expect(await under.ready()).toEqual(namesOf(attempts.slice(5, 6)));
});

test("older limits never overwrite newer ones, and none given stands for the last", async () => {
  await under.queue.setLimits(tenantId, limited({ maxConcurrentExecutions: 3 }, 20));
  await under.queue.admit(admissions(2, { current: limited({ maxConcurrentExecutions: 9 }, 10) }, tenantId));
  await under.queue.setLimits(tenantId, limited({ maxConcurrentExecutions: 9 }, 19));
  await under.queue.admit(admissions(8, { current: null }, tenantId));
  expect(await under.slots(tenantId)).toBe(3);
});

test("a raised rate holds at once, although the old one had promised a long wait", async () => {
  await under.queue.admit(
    admissions(6, { current: limited({ executionsPerSecond: 1, executionBurst: 1 }, 1) }, tenantId),
  );
  expect(await under.ready()).toHaveLength(1);
  await under.queue.setLimits(tenantId, limited({ ...UNPACED, maxConcurrentExecutions: 100 }, 2));
  expect(await under.ready()).toHaveLength(6);
});

const capped = { id: "tool_0000000000000001", maxConcurrent: 2 };
const paced = { id: "tool_0000000000000002", perSecond: 10 };

test("a capped tool runs at most so often at once and never stops the tenant's other work", async () => {
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 50 });
  const slow = admissions(isNightly ? 1_000 : 100, { current, tool: capped }, tenantId);
  const others = admissions(10, { current }, tenantId);
  await under.queue.admit(slow);
  await under.queue.admit(others);
  expect(await under.ready()).toEqual(namesOf([...slow.slice(0, 2), ...others]));
  for (const attempt of slow) {
    await under.queue.release(attempt, 1);
    expect(await under.redis.scard(`{bh:0}:tool-inflight:${tenantId}|${capped.id}`)).toBeLessThanOrEqual(2);
  }
  expect(await under.redis.keys("{bh:0}:parked:*")).toEqual([]);
  expect(await under.redis.exists(`{bh:0}:backlog:${tenantId}`)).toBe(0);
});

test("parked attempts come back in their order, the one with the highest priority first", async () => {
  const current = limited({ ...UNPACED });
  const tool = { ...capped, maxConcurrent: 1 };
  const [a, b, c] = [4, 1, 9].map((priority) => admission(tenantId, { current, tool, priority }));
  for (const attempt of [a!, b!, c!]) await under.queue.admit([attempt]);
  const order = [await under.take()];
  await under.queue.release(order[0]!, 1);
  order.push(await under.take());
  await under.queue.release(order[1]!, 1);
  order.push(await under.take());
  expect(namesOf(order.map((attempt) => attempt!))).toEqual(namesOf([a!, c!, b!]));
});

test("cancelling an attempt that a tool's slot was meant for gives the slot to the next", async () => {
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 4 });
  const tool = { ...capped, maxConcurrent: 1 };
  const [blocker] = admissions(1, { current }, tenantId);
  const [a, b, c] = admissions(3, { current, tool }, tenantId);
  await under.queue.admit([blocker!, a!, b!, c!]);
  expect(await under.ready()).toEqual(namesOf([blocker!, a!]));
  await under.queue.setLimits(tenantId, limited({ ...UNPACED, maxConcurrentExecutions: 1 }, 2));
  // Its tool has a free slot for `b` now, its tenant has not.
  await under.queue.release(a!, 1);
  await under.queue.release(b!, null);
  await under.queue.release(blocker!, 1);
  expect(await under.ready()).toEqual(namesOf([c!]));
});

test("over any window a tool starts at most its rate, and a second's worth at once", async () => {
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 1_000 });
  await under.queue.admit(admissions(16, { current, tool: paced }, tenantId));
  expect(await under.ready()).toHaveLength(10);
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length === 16), {
    what: "all were handed out",
  });
  expect(mostBeyond(await handedOutAt(60_000), 0.01)).toBeLessThan(10.01);
});

test("what a tool's rate allows at once comes back at once, however much it is", async () => {
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 1_000 });
  // Attempts that are admitted in one step meet one moment; one by one the rate might let all of them through.
  await under.queue.admit(admissions(100, { current, tool: { ...paced, perSecond: 50 } }, tenantId));
  expect(await under.ready()).toHaveLength(50);
  await under.redis.del(`{bh:0}:tool-tat:${tenantId}|${paced.id}`);
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length === 100), {
    what: "all were handed out",
  });
});

test("a lapsed lease gives its tool's slot back too", async () => {
  const shortLived = await under.another({ handedOutLeaseMs: 1 });
  const tool = { ...capped, maxConcurrent: 1 };
  const [a, b] = admissions(2, { tool }, tenantId);
  await shortLived.admit([a!, b!]);
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length === 2), {
    what: "the second is handed out",
  });
  expect(await under.redis.smembers(`{bh:0}:tool-inflight:${tenantId}|${tool.id}`)).toEqual(namesOf([b!]));
});
