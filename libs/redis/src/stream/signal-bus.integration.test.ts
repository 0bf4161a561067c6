import { newExecutionId, type Signal, type ToldSignal } from "@bulkhead/core";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { SIGNAL_CHANNEL } from "./names.ts";
import { openSignalBus, type OpenedSignalBus } from "./signal-bus.ts";
import { openStreamRedis, type StreamRedis } from "./stream-redis.ts";

leakCheck();

let server: TestRedis;
let connections: StreamRedis[];
let errors: Error[];
let marked: string[];
let here: OpenedSignalBus;
let there: OpenedSignalBus;

beforeAll(async () => {
  server = await openTestRedis();
});
afterAll(() => server.close());
beforeEach(async () => {
  errors = [];
  marked = [];
  connections = [await connect(), await connect()];
  [here, there] = (await Promise.all(connections.map((redis) => openSignalBus({ redis, changes })))) as [
    OpenedSignalBus,
    OpenedSignalBus,
  ];
});
afterEach(async () => {
  here.close();
  there.close();
  await Promise.all(connections.map((redis) => redis.close()));
});

const connect = (): Promise<StreamRedis> =>
  openStreamRedis({ redisUrl: server.url, onError: (error) => errors.push(error) });
const changes = { markChange: async (tenantId: string) => void marked.push(tenantId) };
const stop: Signal = { type: "stop", executionId: newExecutionId(new Date()), attempt: 1 };
const forget: Signal = { type: "forget", kind: "tool", id: "tool_0123456789abcdef" };
const toldForget: ToldSignal = { ...forget, tenantId: "ten_0123456789abcdef" };

function heard(bus: OpenedSignalBus): { signals: Signal[]; off: () => void } {
  const signals: Signal[] = [];
  return { signals, off: bus.subscribe((signal) => signals.push(signal)) };
}

test("a signal reaches every process, its own too, in order", async () => {
  const [own, other] = [heard(here), heard(there)];
  await here.publish(stop);
  await here.publish(toldForget);
  await until(() => own.signals.length === 2 && other.signals.length === 2, { what: "both hear both" });
  expect(own.signals).toEqual([stop, forget]);
  expect(other.signals).toEqual([stop, forget]);
});

test("a change is marked for those who don't hear of it in time, and nothing else is", async () => {
  await here.publish(stop);
  await here.publish(toldForget);
  expect(marked).toEqual([toldForget.tenantId]);
});

test("a change that could not be marked is told as a failure, and heard all the same", async () => {
  const other = heard(there);
  const failing = await openSignalBus({
    redis: connections[0]!,
    changes: { markChange: () => Promise.reject(new Error("the limiter is away")) },
  });
  await expect(failing.publish(toldForget)).rejects.toMatchObject({ code: "service.unavailable" });
  await until(() => other.signals.length === 1, { what: "it is heard" });
  failing.close();
});

test("who has unsubscribed hears nothing more", async () => {
  const [gone, staying] = [heard(there), heard(there)];
  gone.off();
  await here.publish(stop);
  await until(() => staying.signals.length === 1, { what: "the other one hears" });
  expect(gone.signals).toEqual([]);
});

test("garbage is reported and dropped, and a listener that throws keeps nothing from the others", async () => {
  there.subscribe(() => {
    throw new Error("listener broke");
  });
  const other = heard(there);
  const redis = new Redis(server.url);
  await redis.publish(SIGNAL_CHANNEL, "garbage");
  redis.disconnect();
  await here.publish(stop);
  await until(() => other.signals.length === 1, { what: "the real one arrives" });
  expect(other.signals).toEqual([stop]);
  const messages = errors.map(({ message }) => message);
  expect(messages).toContain("a message that is no signal was dropped");
  expect(messages).toContain("listener broke");
});

test("it says whether signals arrive, and they do again after Redis came back", async () => {
  expect(there.connected).toBe(true);
  await server.kill();
  await until(() => !there.connected, { what: "it is not connected" });
  await expect(here.publish(stop)).rejects.toMatchObject({ code: "service.unavailable" });
  await server.restartEmpty();
  await until(() => there.connected && here.connected, { what: "both are connected" });
  const other = heard(there);
  await until(() => here.publish(stop).then(() => true), { what: "publishing works again" });
  await until(() => other.signals.length > 0, { what: "the signal arrives" });
  expect(other.signals[0]).toEqual(stop);
});

test("what could not be said while Redis was away is said once it is back", async () => {
  const other = heard(there);
  const [speaking] = connections;
  speaking?.commands.disconnect(true);
  await expect(here.publish(stop)).rejects.toMatchObject({ code: "service.unavailable" });
  await until(() => other.signals.length > 0, { what: "the signal arrives" });
  expect(other.signals).toEqual([stop]);
});

test("a time in which signals may have been lost is counted", async () => {
  const before = there.interruptions;
  await server.kill();
  await until(() => !there.connected, { what: "it is not connected" });
  await server.restartEmpty();
  await until(() => there.connected, { what: "it is connected again" });
  expect(there.interruptions).toBeGreaterThan(before);
});
