import { freePort } from "./stores/free-port.ts";
import { leakCheck } from "@bulkhead/testing";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startOwnRedis, type StoreStart } from "./own-stores.ts";

leakCheck();

let start: StoreStart;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "bulkhead-own-"));
  start = { dataDir, env: process.env, portsKept: [], progress: () => undefined };
});
afterAll(() => rm(start.dataDir, { recursive: true }));

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

test("a store that is started again has the address that it had", async () => {
  const first = await startOwnRedis(start, null);
  await first.stop();
  const second = await startOwnRedis(start, first);
  expect([second.url, second.port]).toEqual([first.url, first.port]);
  await second.stop();
  expect(await isListening(second.port)).toBe(false);
});

test("one that comes back at another is ended, and told to whoever waits for it", async () => {
  const port = await freePort();
  const before = {
    port,
    url: "redis://elsewhere",
    ended: Promise.resolve(""),
    stop: () => Promise.resolve(),
  };
  await expect(startOwnRedis(start, before)).rejects.toThrow("without its socket");
  expect(await isListening(port)).toBe(false);
});
