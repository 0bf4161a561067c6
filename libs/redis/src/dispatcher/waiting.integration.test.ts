import { attemptName, newExecutionId, newTenantId, type LimitsAsOf } from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  namesOf,
} from "./fixtures/dispatcher-under-test.ts";

leakCheck();

let under: DispatcherUnderTest;
let tenantId: string;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(async () => {
  tenantId = newTenantId();
  await under.begin();
});
afterEach(() => under.end());

const HOUR = 3_600_000;
const newIds = (count: number): string[] => Array.from({ length: count }, () => newExecutionId(new Date()));
const reserve = (count: number, current: LimitsAsOf, timeoutMs = HOUR) =>
  under.queue.reserve({ tenantId, executionIds: newIds(count), current, timeoutMs, priority: 4 });

test("a higher priority goes first within its tenant, equal ones in the order of their submission", async () => {
  const current = limited({ maxConcurrentExecutions: 1 });
  const first = admission(tenantId, { current });
  await under.queue.admit([first]);
  const waiting = [0, 9, 4, 9, 0, 5].map((priority) => admission(tenantId, { priority }));
  await under.queue.admit(waiting);
  const order: string[] = [];
  for (let taken = await under.take(); taken !== null; taken = await under.take()) {
    order.push(attemptName(taken));
    await under.queue.release(taken, 1);
  }
  const [a, b, c, d, e, f] = namesOf(waiting);
  expect(order).toEqual([attemptName(first), b, d, f, c, a, e]);
});

test("a delayed attempt waits for its time and then goes by its priority", async () => {
  const [late, soon] = [
    admission(tenantId, { delayMs: HOUR }),
    admission(tenantId, { delayMs: HOUR, priority: 9 }),
  ];
  await under.queue.admit([late, soon]);
  await under.queue.dispatch();
  expect(await under.queue.measure()).toMatchObject([{ delayed: 2, inflight: 0, backlog: 0 }]);
  // As if its time had come: a short delay might be over before it was looked at.
  await under.redis.zadd("{bh:0}:delayed", "XX", Date.now(), `${tenantId}|${attemptName(soon)}`);
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length > 0), {
    what: "the first delay has passed",
  });
  expect(await under.ready()).toEqual([attemptName(soon)]);
  expect(await under.queue.missing([late])).toEqual([]);
  await under.queue.release(late, null);
  expect(await under.queue.measure()).toMatchObject([{ delayed: 0 }]);
});

test("no sooner than its delay is an attempt handed out", async () => {
  const [delayMs, roundingMs] = [150, 1];
  const attempt = admission(tenantId, { delayMs });
  const from = performance.now();
  await under.queue.admit([attempt]);
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length > 0), {
    what: "the delay has passed",
  });
  // The dispatcher's clock has whole milliseconds.
  expect(performance.now() - from).toBeGreaterThanOrEqual(delayMs - roundingMs);
});

test("200 concurrent reservations get exactly as many slots as there are", async () => {
  const current = limited({ maxConcurrentExecutions: 3, maxQueuedExecutions: 47 });
  const another = await under.another();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      (n % 2 === 0 ? under.queue : another).reserve({
        tenantId,
        executionIds: newIds(1),
        current,
        timeoutMs: HOUR,
        priority: 4,
      }),
    ),
  );
  expect(answers.filter(({ accepted }) => accepted === 1)).toHaveLength(50);
  expect(answers.filter(({ refusedFor }) => refusedFor === "backlog")).toHaveLength(150);
  expect(Math.max(...answers.map(({ waiting }) => waiting))).toBe(50);
});

test("the first ones of a batch are reserved, and the answer tells how many", async () => {
  const current = limited({ maxConcurrentExecutions: 2, maxQueuedExecutions: 5 });
  expect(await reserve(10, current)).toMatchObject({ accepted: 7, refusedFor: "backlog", waiting: 7 });
  expect(await reserve(1, current)).toMatchObject({ accepted: 0, refusedFor: "backlog", waiting: 7 });
});

test("a reservation ends by admission and release, and lapses by itself", async () => {
  const current = limited({ maxConcurrentExecutions: 1, maxQueuedExecutions: 1 });
  const shortLived = await under.another({ reservedMs: 50 });
  const [a, b] = admissions(2, { current }, tenantId);
  const ask = (ids: string[], queue = under.queue) =>
    queue.reserve({ tenantId, executionIds: ids, current, timeoutMs: HOUR, priority: 4 });
  expect(await ask([a!.executionId, b!.executionId])).toMatchObject({ accepted: 2, waiting: 2 });
  // Asking again for the same is no second reservation.
  expect(await ask([a!.executionId])).toMatchObject({ accepted: 1, waiting: 2 });
  await under.queue.admit([a!]);
  expect(await ask(newIds(1))).toMatchObject({ accepted: 0, waiting: 1 });
  await under.queue.release(b!, null);
  expect(await ask(newIds(1), shortLived)).toMatchObject({ accepted: 1 });
  await until(async () => (await ask(newIds(1), shortLived)).accepted === 1, {
    what: "the reservation has lapsed",
  });
});

test("delayed and parked ones count toward the backlog", async () => {
  const current = limited({ maxConcurrentExecutions: 2, maxQueuedExecutions: 2 });
  const tool = { id: "tool_0000000000000001", maxConcurrent: 1 };
  await under.queue.admit(admissions(2, { current, tool }, tenantId));
  await under.queue.admit(admissions(1, { delayMs: HOUR }, tenantId));
  expect(await reserve(5, current)).toMatchObject({ accepted: 1, refusedFor: "backlog", waiting: 3 });
});

test("what the rate can't start in time is refused with the wait", async () => {
  const current = limited({ executionsPerSecond: 1, executionBurst: 2, maxQueuedExecutions: 100 });
  const reserved = await reserve(10, current, 3_500);
  expect(reserved).toMatchObject({ accepted: 5, refusedFor: "deadline", waiting: 5 });
  expect(reserved.waitMs).toBe(4_000);
});

test("what the cap can't finish in time is refused once three costs are known, not before", async () => {
  const current = limited({ maxConcurrentExecutions: 2 });
  const run = async (count: number): Promise<void> => {
    await under.queue.admit(admissions(count, { current }, tenantId));
    for (let n = 0; n < count; n++) await under.queue.release((await under.take())!, 60_000);
  };
  const wait = async (): Promise<number> => {
    const held = admissions(12, { current }, tenantId);
    await under.queue.admit(held);
    const { accepted, waitMs } = await reserve(1, current, 30_000);
    for (const attempt of held) await under.queue.release(attempt, null);
    return accepted === 1 ? 0 : waitMs;
  };
  await run(2);
  expect(await wait()).toBe(0);
  await under.redis.del(`{bh:0}:reserved:${tenantId}`);
  await run(1);
  expect(await wait()).toBeGreaterThan(30_000);
});

test("a reservation is never refused for delayed ones, which are not ahead", async () => {
  const current = limited({ executionsPerSecond: 1, executionBurst: 1, maxQueuedExecutions: 100 });
  await under.queue.admit(admissions(50, { current, delayMs: HOUR }, tenantId));
  expect(await reserve(1, current, 500)).toMatchObject({ accepted: 1 });
});

test("who goes first is not refused for those behind", async () => {
  const current = limited({ executionsPerSecond: 1, executionBurst: 1, maxQueuedExecutions: 100 });
  await under.queue.admit(admissions(20, { current, priority: 4 }, tenantId));
  const wanted = { tenantId, current, timeoutMs: 5_000 };
  const ask = (priority: number) => under.queue.reserve({ ...wanted, executionIds: newIds(1), priority });
  expect(await ask(4)).toMatchObject({ accepted: 0, refusedFor: "deadline" });
  expect(await ask(9)).toMatchObject({ accepted: 1 });
});
