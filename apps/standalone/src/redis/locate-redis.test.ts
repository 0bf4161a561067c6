import { expect, test } from "vitest";
import { locateRedis } from "./locate-redis.ts";
import type { RedisBinary, RedisSource } from "./redis-binary.ts";

const search = { env: {}, fetchedDir: "/nowhere" };
const binary: RedisBinary = { command: "/opt/redis-server", env: {}, version: "Redis 8.0.0" };

test("the first source that yields a Redis is the last one tried", async () => {
  const tried: string[] = [];
  const source =
    (name: string, end: Awaited<ReturnType<RedisSource>>): RedisSource =>
    async () => {
      tried.push(name);
      return end;
    };
  const sources = [
    source("a", { refusal: "no a" }),
    source("b", { binary }),
    source("c", { refusal: "no c" }),
  ];
  expect(await locateRedis(search, sources)).toBe(binary);
  expect(tried).toEqual(["a", "b"]);
});

test("where there is none the error says how to get one and what stood in each way", async () => {
  const sources: RedisSource[] = [async () => ({ refusal: "no a" }), async () => ({ refusal: "no b" })];
  await expect(locateRedis(search, sources)).rejects.toThrow(
    /^There is no Redis\. .*REDIS_URL\.\nTried:\n {2}no a\n {2}no b$/u,
  );
});
