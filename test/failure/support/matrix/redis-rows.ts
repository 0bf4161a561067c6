import { until } from "@bulkhead/testing";
import { setTimeout as delay } from "node:timers/promises";
import { FOUND_AGAIN_MS, type FaultRow, type Scene } from "./row.ts";

/** How long Redis is away in the rows that kill it; milliseconds. */
const AWAY_MS = 1_500;
const PAUSE_MS = 20_000;
/** More than what can run at once, so that most of it waits in Redis. */
const BURST = 60;

async function killRedis({ rig, burst }: Scene, data: "kept" | "emptied"): Promise<void> {
  await burst(BURST);
  await rig.redis.kill();
  await delay(AWAY_MS);
  await rig.redis.start(data);
}

export const REDIS_ROWS: readonly FaultRow[] = [
  {
    name: "kill -9 of Redis, started again with its append-only file",
    // Up to a second was not on disk yet.
    bounds: { logsLost: true, effectMsMax: FOUND_AGAIN_MS },
    strike: (scene) => killRedis(scene, "kept"),
  },
  {
    name: "kill -9 of Redis, started again without its data",
    bounds: { logsLost: true, effectMsMax: FOUND_AGAIN_MS },
    strike: (scene) => killRedis(scene, "emptied"),
  },
  {
    name: "FLUSHALL of Redis",
    bounds: { logsLost: true },
    strike: async ({ rig }) => void (await rig.redis.ask(["FLUSHALL"])),
  },
  {
    name: "CLIENT PAUSE of 20 s",
    // A cancel reaches its worker through Redis, else when the lease is looked at.
    bounds: { logsLost: true, effectMsMax: PAUSE_MS },
    strike: async ({ rig }) => {
      await rig.redis.ask(["CLIENT", "PAUSE", String(PAUSE_MS), "ALL"]);
      await delay(PAUSE_MS);
    },
  },
  {
    name: "SCRIPT FLUSH",
    strike: async ({ rig }) => {
      for (let times = 0; times < 5; times += 1) {
        await rig.redis.ask(["SCRIPT", "FLUSH", "SYNC"]);
        await delay(200);
      }
    },
  },
  {
    name: "pub/sub connections killed",
    strike: async ({ rig, start }) => {
      await start("ticker");
      for (let times = 0; times < 5; times += 1) {
        await rig.redis.ask(["CLIENT", "KILL", "TYPE", "pubsub"]);
        await delay(200);
      }
    },
  },
  {
    name: "all connections of Redis's clients killed",
    bounds: { logsLost: true },
    strike: async ({ rig }) =>
      void (await rig.redis.ask(["CLIENT", "KILL", "TYPE", "normal"], ["CLIENT", "KILL", "TYPE", "pubsub"])),
  },
  {
    name: "maxmemory reached",
    bounds: { logsLost: true },
    strike: async (scene) => {
      const { rig } = scene;
      let calls = 0;
      // One byte: it holds more already.
      await rig.redis.ask(["CONFIG", "SET", "maxmemory", "1"]);
      try {
        const refused = await until(() => refusalOf(scene, (calls += 1)), {
          what: "a call is refused while Redis is full",
        });
        scene.afterwards(() =>
          Promise.resolve(refused === "503 with Retry-After" ? [] : [`a full Redis: ${refused}`]),
        );
      } finally {
        await rig.redis.ask(["CONFIG", "SET", "maxmemory", "0"]);
      }
    },
  },
];

/** How a call is refused by then; null where it is not. */
async function refusalOf({ caller, name }: Scene, n: number): Promise<string | null> {
  const marker = `${name}-full-${n}`;
  const end = await caller.submitAndTell({ tool: "echo", marker, arguments: { marker } }, "async");
  if (end.is !== "answered" || end.status < 400) return null;
  return `${end.status} ${"retry-after" in end.headers ? "with" : "without"} Retry-After`;
}
