import { leakCheck, startRedisCluster, until, type TestRedisCluster } from "@bulkhead/testing";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRedis, mastersOf } from "./masters.ts";
import { connect, disconnect, isCluster, type RedisClient } from "./connect.ts";
import { listen } from "./listen.ts";
import { serverVersion } from "./server-version.ts";

leakCheck();

let cluster: TestRedisCluster;
let redis: RedisClient;
let listening: Redis;
const onError = (): void => undefined;

beforeAll(async () => {
  cluster = await startRedisCluster();
  redis = await connect({ redisUrl: cluster.url, name: "test", onError });
  listening = await listen({ redisUrl: cluster.url, name: "test-listen", onError, beside: redis });
});
afterAll(async () => {
  await disconnect(listening);
  await disconnect(redis);
  await cluster.close();
});

/** One key at each master, in their order: they hold a third of the slots each. */
const KEYS = ["{b}", "{c}", "{a}"];
const setAll = () => Promise.allSettled(KEYS.map((key) => redis.set(key, "here")));

test("keys of every master are reached, and all masters are told", async () => {
  expect(isCluster(redis)).toBe(true);
  expect((await setAll()).map(({ status }) => status)).toEqual(KEYS.map(() => "fulfilled"));
  const sizes = await Promise.all((await mastersOf(redis)).map((master) => master.dbsize()));
  expect(sizes).toEqual([1, 1, 1]);
  await checkRedis(redis);
  expect(await serverVersion(redis)).toMatch(/^\d+\.\d+/u);
});

test("while a master is away its keys fail within seconds and the others' don't, it isn't ready, and all heals", async () => {
  await setAll();
  await cluster.masters[0]?.kill();
  expect((await setAll()).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  await expect(checkRedis(redis)).rejects.toThrow();
  await cluster.masters[0]?.startAgain();
  await cluster.isWhole();
  await until(() => checkRedis(redis).then(() => true), { what: "the cluster is ready again" });
  await until(async () => (await setAll()).every(({ status }) => status === "fulfilled"), {
    what: "every key can be written again",
  });
});

test("what is published at any node is heard, also after the node that was listened at has died", async () => {
  const heard: string[] = [];
  listening.on("message", (_channel, text: string) => heard.push(text));
  // As those do who listen: a new connection is asked for everything again.
  listening.on("ready", () => void listening.subscribe("news").catch(onError));
  await listening.subscribe("news");
  const tellEverywhere = async (text: string): Promise<void> => {
    await Promise.all(
      cluster.masters.map((node, at) => node.ask(`PUBLISH news ${text}-${at}`).catch(onError)),
    );
  };
  await tellEverywhere("first");
  await until(() => heard.length === 3, { what: "all three are heard" });

  const at = cluster.masters.findIndex(({ port }) => port === listening.stream.remotePort);
  await cluster.masters[at]?.kill();
  await until(
    async () => {
      await tellEverywhere("later");
      return heard.some((text) => text.startsWith("later"));
    },
    { what: "another node is listened at" },
  );
  await cluster.masters[at]?.startAgain();
  await cluster.isWhole();
});

test("a command whose connection broke is not sent again: it may have been done", async () => {
  const [key = ""] = KEYS;
  await redis.set(key, "0");
  const master = (await mastersOf(redis)).find(({ options }) => options.port === masterPortOf(key));
  expect(master).toBeDefined();
  const pending = redis.incr(key);
  master?.stream.destroy();
  await expect(pending).rejects.toThrow("Connection is closed");
});

/** The port of the master that holds a key's slot, as the client knows it. */
function masterPortOf(key: string): number {
  if (!isCluster(redis)) throw new Error("no cluster");
  const slot = SLOT_OF[key] ?? 0;
  return Number(redis.slots[slot]?.[0]?.split(":").at(-1));
}

/** CRC16 of the hash tag, as `CLUSTER KEYSLOT` tells it. */
const SLOT_OF: Record<string, number> = { "{b}": 3300, "{c}": 7365, "{a}": 15495 };
