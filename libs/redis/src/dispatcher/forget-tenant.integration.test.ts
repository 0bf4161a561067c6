import { newExecutionId, newTenantId } from "@bulkhead/core";
import { leakCheck, redisKeysWith, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { admissions, DispatcherUnderTest, limited, UNPACED } from "./fixtures/dispatcher-under-test.ts";

leakCheck();

let under: DispatcherUnderTest;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => under.begin());
afterEach(() => under.end());

const TOOL = { id: "tool_0000000000000001", maxConcurrent: 1, perSecond: 100 };
/** Some that run, wait, are delayed and are parked. */
async function fill(tenantId: string) {
  const current = limited({ ...UNPACED, maxConcurrentExecutions: 3 });
  const all = [
    ...admissions(5, { current, tool: TOOL }, tenantId),
    ...admissions(5, { current, delayMs: 60_000 }, tenantId),
    ...admissions(5, { current }, tenantId),
  ];
  await under.queue.admit(all);
  return all;
}

/** Keys that contain the text, except for the rate of a tool, which expires. */
const heldOf = async (text: string): Promise<string[]> =>
  (await redisKeysWith((...of) => under.redis.call(...of), text)).filter(
    (key) => !key.includes(":tool-tat:"),
  );

test("a tenant that holds nothing any more is forgotten, and another one keeps all it had", async () => {
  const [tenantId, other] = [newTenantId(), newTenantId()];
  const all = await fill(tenantId);
  await fill(other);
  expect(await under.queue.forget(tenantId)).toBeGreaterThan(0);
  expect(await heldOf(tenantId)).not.toEqual([]);
  for (const attempt of all) await under.queue.release(attempt, null);
  const theirs = await heldOf(other);
  expect(await under.queue.forget(tenantId)).toBe(0);
  expect(await heldOf(tenantId)).toEqual([]);
  expect(await heldOf(other)).toEqual(theirs);
  expect(await under.queue.forget(tenantId)).toBe(0);
});

test("what nobody released is forgotten too, in as many steps as it takes, once nothing runs", async () => {
  const tenantId = newTenantId();
  const current = limited({ ...UNPACED });
  await under.queue.admit(admissions(1_200, { current, delayMs: 60_000 }, tenantId));
  expect(await under.queue.forget(tenantId)).toBe(700);
  expect(await under.queue.forget(tenantId)).toBe(200);
  expect(await under.queue.forget(tenantId)).toBe(0);
  expect(await heldOf(tenantId)).toEqual([]);
});

test("limits of nothing hand nothing out and refuse everybody, with a wait that is a number", async () => {
  const tenantId = newTenantId();
  const before = limited({ ...UNPACED, maxConcurrentExecutions: 2 }, 1);
  const first = admissions(6, { current: before }, tenantId);
  await under.queue.admit(first);
  expect(await under.slots(tenantId)).toBe(2);
  const none = limited({ ...UNPACED, maxConcurrentExecutions: 0, maxQueuedExecutions: 0 }, 2);
  await under.queue.setLimits(tenantId, none);
  // Workers that learnt the limits before still send them.
  for (const attempt of first.slice(0, 2)) await under.queue.release(attempt, 100);
  await under.queue.admit(admissions(1, { current: before }, tenantId));
  await under.queue.dispatch();
  expect(await under.slots(tenantId)).toBe(0);
  const reserved = await under.queue.reserve({
    tenantId,
    executionIds: [newExecutionId(new Date())],
    current: before,
    timeoutMs: 60_000,
    priority: 4,
  });
  expect(reserved).toMatchObject({ accepted: 0, refusedFor: "backlog" });
  expect(reserved.waitMs).toBeGreaterThanOrEqual(0);
  await until(async () => (await under.queue.measure())[0]?.inflight === 0, { what: "nothing runs" });
});
