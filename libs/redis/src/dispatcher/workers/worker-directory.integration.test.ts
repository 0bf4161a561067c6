import type { WorkerFacts } from "@bulkhead/core";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openWorkerDirectory, type OpenedWorkerDirectory } from "./worker-directory.ts";

leakCheck();

const TTL_MS = 30_000;

let server: TestRedis;
let redis: Redis;
let directory: OpenedWorkerDirectory;
const errors: string[] = [];

beforeAll(async () => {
  server = await openTestRedis();
  redis = new Redis(server.url);
  redis.on("error", () => undefined);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});
beforeEach(async () => {
  await redis.flushall();
  errors.length = 0;
  directory = await open();
});
afterEach(() => directory.close());

const open = (more: { workersMax?: number } = {}) =>
  openWorkerDirectory({
    redisUrl: server.url,
    onError: ({ message }) => void errors.push(message),
    ...more,
  });

const factsOf = (workerId: string, more: Partial<WorkerFacts> = {}): WorkerFacts => ({
  workerId,
  host: "engine-room",
  pid: 42,
  startedAt: new Date("2026-01-02T03:04:05.678Z"),
  version: "0.1.0",
  nodeVersion: "26.10.0",
  v8Version: "14.6",
  isolatedVmVersion: "7.0.1",
  nodeSnapshot: true,
  slots: 32,
  running: 3,
  sandboxProcesses: { starting: 0, blank: 2, idle: 1, running: 3 },
  sandboxWaiting: 0,
  sandboxLayers: [{ layer: "no_new_privileges", inForce: true, detail: "set" }],
  engines: [{ engine: "files", available: true, detail: "" }],
  ...more,
});

const listedIds = async (): Promise<string[]> => (await directory.list()).map(({ workerId }) => workerId);

test("a directory that nobody announced to is empty", async () => {
  expect(await directory.list()).toEqual([]);
});

test("what a worker announced is listed as it was said, to every process", async () => {
  const other = await open();
  expect(await other.announce(factsOf("wrk_a"), TTL_MS)).toBe("announced");
  expect(await directory.list()).toEqual([factsOf("wrk_a")]);
  await other.close();
});

test("workers are listed by their start, and a new word replaces the one before", async () => {
  await directory.announce(factsOf("wrk_b", { startedAt: new Date(2_000) }), TTL_MS);
  await directory.announce(factsOf("wrk_c", { startedAt: new Date(1_000) }), TTL_MS);
  await directory.announce(factsOf("wrk_a", { startedAt: new Date(2_000) }), TTL_MS);
  await directory.announce(factsOf("wrk_c", { startedAt: new Date(1_000), running: 9 }), TTL_MS);
  expect((await directory.list()).map(({ workerId, running }) => [workerId, running])).toEqual([
    ["wrk_c", 9],
    ["wrk_a", 3],
    ["wrk_b", 3],
  ]);
});

test("a worker that falls silent vanishes, and with the last one everything that was kept", async () => {
  await directory.announce(factsOf("wrk_long"), TTL_MS);
  await directory.announce(factsOf("wrk_short"), 50);
  await until(async () => (await listedIds()).join() === "wrk_long", { what: "the silent one is gone" });
  await directory.withdraw("wrk_long");
  await directory.announce(factsOf("wrk_last"), 50);
  await until(async () => (await redis.keys("*")).length === 0, { what: "Redis holds nothing" });
});

test("a worker that withdraws is gone at once, and may withdraw again", async () => {
  await directory.announce(factsOf("wrk_a"), TTL_MS);
  await directory.announce(factsOf("wrk_b"), TTL_MS);
  await directory.withdraw("wrk_a");
  await directory.withdraw("wrk_a");
  expect(await listedIds()).toEqual(["wrk_b"]);
});

test("a full directory takes nobody new, keeps those it has, and fills what ran out", async () => {
  const small = await open({ workersMax: 2 });
  await small.announce(factsOf("wrk_a"), TTL_MS);
  await small.announce(factsOf("wrk_b"), TTL_MS);
  expect(await small.announce(factsOf("wrk_c"), TTL_MS)).toBe("full");
  expect(await small.announce(factsOf("wrk_a"), TTL_MS)).toBe("announced");
  await small.announce(factsOf("wrk_b"), 100);
  await until(async () => (await small.announce(factsOf("wrk_c"), TTL_MS)) === "announced", {
    what: "there is room again",
  });
  expect(await listedIds()).toEqual(["wrk_a", "wrk_c"]);
  await small.close();
});

test.each([
  ["no JSON", "{"],
  ["no object", "null"],
  ["no facts", '{"workerId":"wrk_x"}'],
  ["too long", JSON.stringify({ ...factsOf("wrk_x"), more: "x".repeat(20_000) })],
  ["out of bounds", JSON.stringify({ ...factsOf("wrk_x"), host: "x".repeat(300) })],
])("an entry that is %s is reported and hides no other", async (_what, text) => {
  await directory.announce(factsOf("wrk_a"), TTL_MS);
  await redis.hset("{bh:workers}:facts", "wrk_x", text);
  await redis.zadd("{bh:workers}:until", Date.now() + TTL_MS, "wrk_x");
  expect(await listedIds()).toEqual(["wrk_a"]);
  expect(errors).toEqual(["1 workers of the directory can't be read"]);
});

test("fields and layers that this version doesn't know are no obstacle", async () => {
  const layer = { layer: "from_the_future", inForce: true, detail: "", more: 1 };
  const newer = { ...factsOf("wrk_new"), sandboxLayers: [layer], unknown: { a: 1 } };
  await redis.hset("{bh:workers}:facts", "wrk_new", JSON.stringify(newer));
  await redis.zadd("{bh:workers}:until", Date.now() + TTL_MS, "wrk_new");
  const [listed] = await directory.list();
  expect(listed).toEqual({
    ...factsOf("wrk_new"),
    sandboxLayers: [{ layer: "from_the_future", inForce: true, detail: "" }],
  });
});

test("a long word about a layer is cut off; facts beyond their bounds are refused", async () => {
  const layers = [{ layer: "landlock", inForce: false, detail: "x".repeat(10_000) }];
  await directory.announce(factsOf("wrk_a", { sandboxLayers: layers }), TTL_MS);
  expect((await directory.list())[0]?.sandboxLayers[0]?.detail).toHaveLength(300);
  await expect(directory.announce(factsOf("wrk_b", { host: "x".repeat(300) }), TTL_MS)).rejects.toThrow(
    "bounds",
  );
});

test("while Redis is away every call fails with service.unavailable, and afterwards the list fills again", async () => {
  await server.kill();
  const calls = [directory.announce(factsOf("wrk_a"), TTL_MS), directory.list(), directory.withdraw("wrk_a")];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "service.unavailable" } });
  }
  await server.restartEmpty();
  await until(() => directory.announce(factsOf("wrk_a"), TTL_MS), { what: "announcing works again" });
  expect(await listedIds()).toEqual(["wrk_a"]);
});

test("closing leaves no connection", async () => {
  await directory.close();
  await until(async () => !String(await redis.client("LIST")).includes("bulkhead-workers"), {
    what: "Redis has no connection of ours",
  });
});
