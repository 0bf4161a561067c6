import { expect, test } from "vitest";
import { redisConfig } from "./redis-config.ts";

const base = { folder: "/data/redis", pidFile: "/data/redis.pid", port: 7_000, socket: null, password: "p" };

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

test("its socket, where it has one, is for this user alone", () => {
  const socket = String.raw`/my "own"\redis.sock`;
  const lines = redisConfig({ ...base, socket, durable: true }).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([String.raw`unixsocket "/my \"own\"\\redis.sock"`, "unixsocketperm 700"]),
  );
  expect(redisConfig({ ...base, durable: true })).not.toContain("unixsocket");
});

test("a folder with spaces and quotes stays one word", () => {
  const lines = redisConfig({ ...base, folder: '/my "own" data', durable: true }).split("\n");
  expect(lines).toContain(String.raw`dir "/my \"own\" data"`);
});
