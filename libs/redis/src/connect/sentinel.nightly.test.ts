import { leakCheck, startRedisSentinel, until, type TestRedisSentinel } from "@bulkhead/testing";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRedis, mastersOf } from "./masters.ts";
import { connect, disconnect, type RedisClient } from "./connect.ts";
import { listen } from "./listen.ts";

leakCheck();

let group: TestRedisSentinel;
const onError = (): void => undefined;
beforeAll(async () => {
  group = await startRedisSentinel();
});
afterAll(() => group.close());

test("commands and subscriptions go to the master, and after a failover to the new one, with the data", async () => {
  const redis: RedisClient = await connect({ redisUrl: group.url, name: "test", onError });
  const listening: Redis = await listen({ redisUrl: group.url, name: "listen", onError, beside: redis });
  try {
    const heard: string[] = [];
    listening.on("message", (_channel, text: string) => heard.push(text));
    listening.on("ready", () => void listening.subscribe("news").catch(onError));
    await listening.subscribe("news");
    await redis.set("key", "kept");
    await until(async () => (await redis.wait(1, 1_000)) === 1, { what: "the replica has it" });
    expect(await mastersOf(redis)).toHaveLength(1);

    const old = await group.failOver();
    await until(() => checkRedis(redis).then(() => true), { what: "the new master answers" });
    expect(await redis.get("key")).toBe("kept");
    await redis.set("key", "written");
    expect(await (await group.master()).ask("GET key")).toContain("written");
    await until(
      async () => {
        await redis.publish("news", "again");
        return heard.length > 0;
      },
      { what: "what is published at the new master is heard" },
    );

    // It holds itself for a master until the Sentinels tell it otherwise; its clients are elsewhere by then.
    await old.startAgain();
    await redis.set("key", "written again");
    expect(await (await group.master()).ask("GET key")).toContain("written again");
    expect(await redis.get("key")).toBe("written again");
    expect(await group.master()).not.toBe(old);
  } finally {
    await disconnect(listening);
    await disconnect(redis);
  }
});

test("a database other than the first is used where the URL names it", async () => {
  const redis = await connect({ redisUrl: group.url.replace("?", "?db=3&"), name: "test", onError });
  try {
    await redis.set("elsewhere", "1");
    expect(await (await group.master()).ask("SELECT 3", "GET elsewhere")).toContain("1");
    expect(await (await group.master()).ask("GET elsewhere")).toBe("$-1\r\n");
  } finally {
    await disconnect(redis);
  }
});

test("a master that no Sentinel knows is told within seconds, without a password", async () => {
  const redisUrl = group.url.replace("/bulkhead?", "/nobody?");
  const opening = connect({ redisUrl, name: "test", onError });
  const error = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: "service.unavailable" });
  expect(JSON.stringify(error) + String(error)).not.toContain(
    new URL(redisUrl.replace(/@.*/u, "@x")).password,
  );
});
