import { randomUUID } from "node:crypto";
import {
  MCP_CALLS_MAX,
  MCP_KEY_SESSIONS_MAX,
  MCP_SESSION_IDLE_MS,
  MCP_SESSIONS_MAX,
  type McpSessions,
} from "@bulkhead/core";
import { leakCheck, openTestRedis, type TestRedis } from "@bulkhead/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openStreamRedis, type StreamRedis } from "../stream/stream-redis.ts";
import { openMcpSessions } from "./mcp-sessions.ts";

let server: TestRedis;
let redis: StreamRedis;
let sessions: McpSessions;

leakCheck();

beforeAll(async () => {
  server = await openTestRedis();
  redis = await openStreamRedis({ redisUrl: server.url, onError: () => undefined });
  sessions = openMcpSessions(redis);
});

afterAll(async () => {
  await redis.close();
  await server.close();
});

beforeEach(() => redis.commands.flushall());

const keyOf = (tenantId = "ten_a", keyId = "key_a") => ({ tenantId, keyId, sessionId: randomUUID() });
const call = (n: number) => ({ requestId: String(n), executionId: `exe_${n}` });

test("a session is there for the key that opened it, and for no other", async () => {
  const key = keyOf();
  expect(await sessions.open(key)).toBe("opened");
  expect(await sessions.touch(key, null)).toEqual({ logLevel: null, admitted: true });
  for (const other of [{ keyId: "key_b" }, { tenantId: "ten_b" }, { sessionId: randomUUID() }]) {
    expect(await sessions.touch({ ...key, ...other }, call(1))).toBeNull();
    expect(await sessions.close({ ...key, ...other })).toBe(false);
  }
  expect(await sessions.findCall(key, "1")).toBeNull();
  expect([await sessions.close(key), await sessions.close(key)]).toEqual([true, false]);
  expect(await sessions.touch(key, null)).toBeNull();
  expect(await redis.commands.keys("*")).toEqual([]);
});

test("a session remembers its log level, and ends by itself where nothing is heard of it", async () => {
  const key = keyOf();
  await sessions.open(key);
  await sessions.setLogLevel(key, "warning");
  expect(await sessions.touch(key, null)).toMatchObject({ logLevel: "warning" });
  for (const name of await redis.commands.keys("*")) {
    const left = await redis.commands.pttl(name);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(MCP_SESSION_IDLE_MS);
  }
});

test("a level that comes when the session is gone makes none", async () => {
  const key = keyOf();
  await sessions.setLogLevel(key, "debug");
  expect(await redis.commands.keys("*")).toEqual([]);
});

test("a tenant has so many sessions and no more, and those that ended don't count", async () => {
  const all = `bh:mcp:{ten_a}`;
  const ids = Array.from({ length: MCP_SESSIONS_MAX }, (_, n) => `key_${n} s${n}`);
  const inAnHour = Date.now() + 3_600_000;
  await redis.commands.zadd(all, ...ids.flatMap((id) => [inAnHour, id]));
  expect(await sessions.open(keyOf())).toBe("too_many_of_tenant");
  expect(await sessions.open(keyOf("ten_b"))).toBe("opened");
  await redis.commands.zadd(all, 1, "key_0 s0");
  expect(await sessions.open(keyOf())).toBe("opened");
});

test("a key has a part of its tenant's sessions and no more, and closing one makes room", async () => {
  const first = keyOf();
  await sessions.open(first);
  const more = Array.from({ length: MCP_KEY_SESSIONS_MAX - 2 }, () => sessions.open(keyOf()));
  expect(new Set(await Promise.all(more))).toEqual(new Set(["opened"]));
  expect([await sessions.open(keyOf()), await sessions.open(keyOf())]).toEqual(["opened", "too_many_of_key"]);
  // Of a key whose id begins alike, and of another tenant.
  expect(await sessions.open(keyOf("ten_a", "key_ab"))).toBe("opened");
  expect(await sessions.open(keyOf("ten_b"))).toBe("opened");
  await sessions.touch(first, null);
  expect(await sessions.close(first)).toBe(true);
  expect(await sessions.open(keyOf())).toBe("opened");
});

test("a session has so many calls at a time, and one that is noted again is none more", async () => {
  const key = keyOf();
  await sessions.open(key);
  const admitted = async (n: number) => (await sessions.touch(key, call(n)))?.admitted;
  for (let n = 0; n < MCP_CALLS_MAX; n += 1) expect(await admitted(n)).toBe(true);
  expect([await admitted(MCP_CALLS_MAX), await admitted(0)]).toEqual([false, true]);
  expect(await sessions.findCall(key, "7")).toBe("exe_7");
  expect([await sessions.endCall(key, "7"), await sessions.endCall(key, "7")]).toEqual([true, false]);
  expect([await sessions.findCall(key, "7"), await admitted(MCP_CALLS_MAX)]).toEqual([null, true]);
});

test("calls that were cut off and whose time is over make room", async () => {
  const key = keyOf();
  await sessions.open(key);
  for (let n = 0; n < MCP_CALLS_MAX; n += 1) await sessions.touch(key, call(n));
  await redis.commands.hset(`bh:mcp:{ten_a}:${key.sessionId}`, "c:3", "1 exe_3");
  expect((await sessions.touch(key, call(MCP_CALLS_MAX)))?.admitted).toBe(true);
  expect([await sessions.findCall(key, "3"), await sessions.findCall(key, "4")]).toEqual([null, "exe_4"]);
});
