import { setTimeout as delay } from "node:timers/promises";
import { leakCheck, openTestRedis, type TestRedis } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMAND_MS_MAX } from "./client-options.ts";
import { connect, disconnect, type RedisClient } from "./connect.ts";

leakCheck();

let server: TestRedis;
let redis: RedisClient;
const onError = (): void => undefined;

beforeAll(async () => {
  server = await openTestRedis();
  redis = await connect({ redisUrl: server.url, name: "test", onError });
});
afterAll(async () => {
  await disconnect(redis);
  await server.close();
});

/** Holds this thread, as a machine does that stops. */
const stopFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("what Redis answered while this process was stopped for longer than a command may take is heard", async () => {
  const asked = Promise.all([redis.set("here", "1"), redis.multi().incr("here").get("here").exec()]);
  stopFor(COMMAND_MS_MAX + 100);
  expect(await asked).toEqual([
    "OK",
    [
      [null, 2],
      [null, "2"],
    ],
  ]);
});

test("so is what a slow one answered while this process was stopped, when most of its time had passed", async () => {
  const slowMs = 1_200;
  await redis.call("CLIENT", "PAUSE", slowMs);
  const asked = redis.get("nowhere");
  await delay(slowMs - 100);
  stopFor(COMMAND_MS_MAX);
  expect(await asked).toBeNull();
});

test("what a Redis that says nothing is asked for fails, alone and in a transaction", async () => {
  await redis.call("CLIENT", "PAUSE", 2 * COMMAND_MS_MAX);
  const asked = await Promise.allSettled([redis.get("here"), redis.multi().get("here").exec()]);
  expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
