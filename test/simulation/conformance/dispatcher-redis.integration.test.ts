import { everyNth, isNightly, leakCheck, openTestRedis, type TestRedis } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Lockstep } from "./lockstep.ts";
import { PROMISES } from "./promises.ts";
import { openModel, openReal } from "./queue-under-test.ts";

leakCheck();
// Thousands of answers of Redis, one after the other, which a busy machine gives slowly.
vi.setConfig({ testTimeout: 120_000 });

let redis: TestRedis;
beforeAll(async () => void (redis = await openTestRedis()));
afterAll(() => redis.close());

// By day the model keeps them all, which the Lua follows step by step below.
test.each(everyNth(PROMISES, 6))("the Lua: $name", async ({ slots, check }) => {
  const under = await openReal(redis.url, slots);
  try {
    await check(under);
  } finally {
    await under.close();
    await redis.restartEmpty();
  }
});

const STEPS = isNightly ? 400 : 60;
/** A seed, and how many of the workers' slots are saturated. */
const HISTORIES: [seed: number, saturated: number][] = [[1, 3]];
const AT_NIGHT: typeof HISTORIES = [
  [1, 0],
  [2, 0],
  [3, 0],
  [2, 2],
];

test.each(isNightly ? [...HISTORIES, ...AT_NIGHT] : HISTORIES)(
  "the Lua decides step by step as the model does (seed %i, %i slots saturated)",
  async (seed, saturated) => {
    const slots = 3 + seed;
    const [model, real] = [openModel(slots, saturated), await openReal(redis.url, slots, saturated)];
    try {
      const lockstep = new Lockstep(seed, model, real);
      for (let step = 0; step < STEPS; step += 1) await lockstep.step();
      expect(model.taken.length).toBeGreaterThan(STEPS / 4);
      await lockstep.finishAll();
    } finally {
      await real.close();
      await redis.restartEmpty();
    }
  },
);
