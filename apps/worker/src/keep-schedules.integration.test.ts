import type { PlannedSchedule } from "@bulkhead/core";
import { connect, disconnect, openScheduleTriggers, type RedisClient } from "@bulkhead/redis";
import { nextRun, type Reconciled } from "@bulkhead/executions";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepSchedules } from "./keep-schedules.ts";

leakCheck();

let server: TestRedis;
let redis: RedisClient;
beforeAll(async () => {
  server = await openTestRedis();
  redis = await connect({ redisUrl: server.url, name: "test", onError: () => undefined });
});
afterAll(async () => {
  await disconnect(redis);
  await server.close();
});

const YEAR_MS = 365 * 86_400_000;
const anchorAt = new Date();
const YEARLY: PlannedSchedule = {
  scheduleId: "sch_1",
  tenantId: "ten_1",
  plan: { type: "every", everyMs: YEAR_MS, anchorAt },
  nextRunAt: new Date(anchorAt.getTime() + YEAR_MS),
};

interface Seen {
  healed: Reconciled[];
  reported: unknown[];
  /** Turns of the reconciler that came to their last question. */
  turns: number;
}

/** A worker's part, on a database that holds one schedule, whose time is far. */
async function keep(seen: Seen) {
  const unused = (): never => {
    throw new Error("nothing is due");
  };
  const triggers = await openScheduleTriggers({ redisUrl: server.url, nextRun, onError: () => undefined });
  const kept = keepSchedules(
    {
      triggers,
      apiKeys: { find: unused },
      schedules: {
        find: unused,
        settle: unused,
        openRuns: unused,
        listReleased: async () => [],
        settleWaiting: unused,
        update: unused,
        listDue: async () => [],
        listActive: async () => [YEARLY],
        activeAmong: async (ids) => {
          seen.turns += 1;
          return ids;
        },
      },
      policies: { of: unused },
      tenants: { find: unused },
      tools: { find: unused },
      executions: { findByKey: unused },
      cancelRun: unused,
      submitScheduled: unused,
      clock: () => new Date(),
      report: (_what, error) => void seen.reported.push(error),
    },
    { redisUrl: server.url, onError: () => undefined, say: (one) => void seen.healed.push(one) },
  );
  return {
    async close() {
      await kept.close();
      await triggers.close();
    },
  };
}

const isTriggered = async (): Promise<boolean> =>
  (await redis.zscore("{bh:schedules}:schedules:repeat", YEARLY.scheduleId)) !== null;

test("triggers that Redis has lost are set again long before the next turn, by one of two workers", async () => {
  const seen: Seen = { healed: [], reported: [], turns: 0 };
  const workers = [await keep(seen)];
  await until(() => seen.turns === 1, { what: "the first worker's turn" });
  workers.push(await keep(seen));
  await until(() => seen.turns === 2, { what: "the second worker's turn" });
  for (const times of [2, 3]) {
    await redis.flushall();
    await until(isTriggered, { what: "the trigger to be there again" });
    await until(() => seen.healed.length === times, { what: "the worker to say so" });
  }
  await Promise.all(workers.map((worker) => worker.close()));
  expect(seen.healed).toEqual([1, 1, 1].map((set) => ({ fired: 0, set, removed: 0 })));
  expect(seen.reported).toEqual([]);
});
