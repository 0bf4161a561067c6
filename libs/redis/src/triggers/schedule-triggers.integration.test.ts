import type { SchedulePlan, ScheduleTriggers, Trigger } from "@bulkhead/core";
import { connect, disconnect, type RedisClient } from "../connect/connect.ts";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openScheduleConsumer } from "./schedule-consumer.ts";
import { openScheduleTriggers } from "./schedule-triggers.ts";

leakCheck();

let server: TestRedis;
let redis: RedisClient;
let triggers: ScheduleTriggers;
const errors: unknown[] = [];
const onError = (error: unknown): void => void errors.push(error);

/** Cron patterns come at the whole seconds of half a minute from now, whatever they say. */
const nextRun = (plan: SchedulePlan, after: Date): Date =>
  plan.type === "every"
    ? new Date(
        (Math.floor((after.getTime() - plan.anchorAt.getTime()) / plan.everyMs) + 1) * plan.everyMs +
          plan.anchorAt.getTime(),
      )
    : new Date(Math.ceil(after.getTime() / 1_000) * 1_000 + 30_000);

beforeAll(async () => {
  server = await openTestRedis();
  redis = await connect({ redisUrl: server.url, name: "test", onError });
});
beforeEach(async () => {
  await redis.flushall();
  triggers = await openScheduleTriggers({ redisUrl: server.url, nextRun, onError });
});
afterEach(() => triggers.close());
afterAll(async () => {
  await disconnect(redis);
  await server.close();
});

const every = (everyMs: number): SchedulePlan => ({ type: "every", everyMs, anchorAt: new Date(7) });
const schedule = (scheduleId: string, plan: SchedulePlan) => ({ scheduleId, tenantId: "ten_1", plan });
const allIds = async () => (await Array.fromAsync(triggers.listIds())).flat().toSorted();

function consume(taken: Trigger[] = [], handle = async (): Promise<void> => {}) {
  const consumer = openScheduleConsumer({
    redisUrl: server.url,
    nextRun,
    handle: async (trigger) => {
      taken.push(trigger);
      await handle();
    },
    onError,
  });
  return { taken, close: () => consumer.close() };
}

test("triggers come at the times of the plan, each to one of two workers", async () => {
  const taken: Trigger[] = [];
  const workers = [consume(taken), consume(taken)];
  await triggers.set(schedule("sch_1", every(100)));
  await until(() => taken.length >= 8, { what: "eight triggers" });
  await Promise.all(workers.map((worker) => worker.close()));
  const times = taken.map(({ plannedAt }) => plannedAt.getTime());
  expect(new Set(times).size).toBe(times.length);
  expect(times.map((time) => time % 100)).toEqual(times.map(() => 7));
  expect(taken[0]).toMatchObject({ scheduleId: "sch_1", tenantId: "ten_1" });
});

test("the next time is the plan's, and another one once the plan is another", async () => {
  const before = Date.now();
  await triggers.set(schedule("sch_1", every(3_600_000)));
  await triggers.set(schedule("sch_2", { type: "cron", cron: "any", timeZone: "UTC" }));
  const [first, second, none] = await triggers.nextTimes(["sch_1", "sch_2", "sch_3"]);
  expect(first?.getTime()).toBe(nextRun(every(3_600_000), new Date(before)).getTime());
  expect((second?.getTime() ?? 0) % 1_000).toBe(0);
  expect(none).toBeNull();
  await triggers.set(schedule("sch_1", every(60_000)));
  const [changed] = await triggers.nextTimes(["sch_1"]);
  expect((changed?.getTime() ?? 0) - before).toBeLessThanOrEqual(120_000);
  expect(await allIds()).toEqual(["sch_1", "sch_2"]);
});

test("what is removed triggers nothing more and leaves no job behind", async () => {
  await triggers.set(schedule("sch_1", every(100)));
  const worker = consume();
  await until(() => worker.taken.length > 0, { what: "a trigger" });
  await triggers.remove("sch_1");
  await triggers.remove("sch_1");
  expect(await allIds()).toEqual([]);
  await until(async () => (await redis.keys("*sch_1*")).length === 0, { what: "its keys to vanish" });
  await worker.close();
});

test("a handler that fails is reported, and the next trigger comes all the same", async () => {
  const worker = consume([], () => Promise.reject(new Error("boom")));
  await triggers.set(schedule("sch_1", every(100)));
  await until(() => worker.taken.length >= 3, { what: "three triggers" });
  await worker.close();
  expect(errors.map(String)).toContain("Error: boom");
});

test("Redis keeps nothing of triggers that were handled", async () => {
  const worker = consume();
  await triggers.set(schedule("sch_1", every(50)));
  await until(() => worker.taken.length >= 10, { what: "ten triggers" });
  await triggers.remove("sch_1");
  const keptKeys = () => redis.keys("{bh:schedules}:schedules:repeat:*");
  await until(async () => (await keptKeys()).length === 0, { what: "the last one to be handled" });
  await worker.close();
});

test("that all triggers are gone is told to one of many who ask, each time anew", async () => {
  const ask = () => Promise.all([triggers, triggers, triggers].map((one) => one.claimRefill()));
  expect((await ask()).filter(Boolean)).toHaveLength(1);
  await triggers.set(schedule("sch_1", every(3_600_000)));
  await triggers.remove("sch_1");
  expect((await ask()).filter(Boolean)).toHaveLength(0);
  await redis.flushall();
  expect((await ask()).filter(Boolean)).toHaveLength(1);
});

test("without Redis every call fails within seconds, and goes well again when it is back, emptied", async () => {
  const own = await openTestRedis();
  const there = await openScheduleTriggers({ redisUrl: own.url, nextRun, onError });
  const taken: Trigger[] = [];
  const handle = async (trigger: Trigger): Promise<void> => void taken.push(trigger);
  const consumer = openScheduleConsumer({ redisUrl: own.url, nextRun, handle, onError });
  await there.set(schedule("sch_1", every(100)));
  await until(() => taken.length > 0, { what: "a trigger" });
  await own.kill();
  const calls = [
    () => there.set(schedule("sch_1", every(100))),
    () => there.remove("sch_1"),
    () => there.nextTimes(["sch_1"]),
    () => Array.fromAsync(there.listIds()),
    () => there.claimRefill(),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "service.unavailable" });
  await own.restartEmpty();
  await until(() => there.nextTimes(["sch_1"]).then(([time]) => time === null), { what: "Redis to be back" });
  taken.length = 0;
  await there.set(schedule("sch_1", every(100)));
  await until(() => taken.length > 2, { what: "triggers after the outage" });
  await consumer.close();
  await there.close();
  await own.close();
});
