import { expect, test } from "vitest";
import { locateRedis } from "./locate-redis.ts";
import type { RedisBinary, RedisRoad } from "./redis-binary.ts";

const search = { env: {}, fetchedDir: "/nowhere" };
const binary: RedisBinary = { command: "/opt/redis-server", env: {}, version: "Redis 8.0.0" };

test("the first road that yields a Redis is the last one tried", async () => {
  const tried: string[] = [];
  const road =
    (name: string, end: Awaited<ReturnType<RedisRoad>>): RedisRoad =>
    async () => {
      tried.push(name);
      return end;
    };
  const roads = [road("a", { refusal: "no a" }), road("b", { binary }), road("c", { refusal: "no c" })];
  expect(await locateRedis(search, roads)).toBe(binary);
  expect(tried).toEqual(["a", "b"]);
});

test("where there is none the error says how to get one and what stood in each way", async () => {
  const roads: RedisRoad[] = [async () => ({ refusal: "no a" }), async () => ({ refusal: "no b" })];
  await expect(locateRedis(search, roads)).rejects.toThrow(
    /^There is no Redis\. .*REDIS_URL\.\nTried:\n {2}no a\n {2}no b$/u,
  );
});
