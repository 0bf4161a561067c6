import { newTenantId } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { admissions, DispatcherUnderTest, limited, UNPACED } from "./fixtures/dispatcher-under-test.ts";
import { shardOf } from "./shard-of.ts";

leakCheck();

let under: DispatcherUnderTest;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
afterEach(() => under.end());

test("a tenant is told what of it waits and runs, and nothing of others but their weights", async () => {
  await under.begin({ slots: 4 });
  const [one, other] = [newTenantId(), newTenantId()];
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 2, weight: 3 });
  await under.queue.admit(admissions(5, { current }, one));
  await under.queue.admit(admissions(2, { current, delayMs: 60_000 }, one));
  await under.queue.admit(admissions(9, { current: limited(UNPACED) }, other));
  expect(await under.queue.facts(one)).toMatchObject({
    tenantId: one,
    slots: 4,
    backlog: 3,
    inflight: 2,
    delayed: 2,
    parked: 0,
    competes: true,
    weights: 4,
    runs: 0,
  });
  expect(await under.queue.facts(newTenantId())).toMatchObject({
    backlog: 0,
    inflight: 0,
    competes: false,
    weights: 4,
  });
});

test("runs that ended are known by their mean, and a rate that is used up by its time", async () => {
  await under.begin({ slots: 4 });
  const tenantId = newTenantId();
  const current = limited({ executionsPerSecond: 0.01, executionBurst: 2 });
  await under.queue.admit(admissions(4, { current }, tenantId));
  for (const usedMs of [100, 300]) {
    const attempt = await under.take();
    if (attempt) await under.queue.release(attempt, usedMs);
  }
  const facts = await under.queue.facts(tenantId);
  expect(facts).toMatchObject({ backlog: 2, inflight: 0, competes: false, runs: 2, meanMs: 200 });
  expect(facts.tat - facts.at.getTime()).toBeGreaterThan(100_000);
});

test("the busiest come first, of all shards, those that only run among them", async () => {
  const shards = 3;
  await under.begin({ slots: 100, shards });
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 4 });
  const counts = [7, 1, 12, 3, 9, 2];
  const tenants = counts.map(() => newTenantId());
  for (const [at, tenantId] of tenants.entries())
    await under.queue.admit(admissions(counts[at] ?? 0, { current }, tenantId));
  const told = await under.queue.busiest(4);
  expect(told.map(({ tenantId, backlog, inflight }) => [tenantId, backlog + inflight])).toEqual(
    [2, 4, 0, 3].map((at) => [tenants[at], counts[at]]),
  );
  const [first] = told;
  const atCap = tenants.filter(
    (tenantId, at) =>
      (counts[at] ?? 0) > 4 && shardOf(tenantId, shards) === shardOf(first?.tenantId ?? "", shards),
  );
  expect(first?.weights).toBe(atCap.length);
});
