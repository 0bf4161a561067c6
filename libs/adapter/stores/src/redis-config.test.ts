import { expect, test } from "vitest";
import { redisConfig } from "./redis-config.ts";

const base = { folder: "/data/redis", pidFile: "/data/redis.pid", port: 7_000, password: "p" };

test("a durable Redis writes an append-only file every second and evicts nothing", () => {
  const lines = redisConfig({ ...base, durable: true }).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining(["appendonly yes", "appendfsync everysec", "maxmemory-policy noeviction"]),
  );
});

test("a throwaway Redis writes nothing to disk", () => {
  const lines = redisConfig({ ...base, durable: false }).split("\n");
  expect(lines).toEqual(expect.arrayContaining(["appendonly no", 'save ""']));
});

test("it listens on loopback only and asks for the password", () => {
  const lines = redisConfig({ ...base, durable: true }).split("\n");
  expect(lines.filter((line) => line.startsWith("bind "))).toEqual(["bind 127.0.0.1"]);
  expect(lines).toContain("requirepass p");
});

test("a folder with spaces and quotes stays one word", () => {
  const lines = redisConfig({ ...base, folder: '/my "own" data', durable: true }).split("\n");
  expect(lines).toContain(String.raw`dir "/my \"own\" data"`);
});
