import { newDeviceId, type Device, type DeviceLines, type DeviceMessage } from "@bulkhead/core";
import { openDeviceLines, openStreamRedis } from "@bulkhead/redis";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { DeviceAsker } from "@bulkhead/tools/built-in";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseJsonText } from "../edge/json-body.ts";
import type { Beats } from "./bounds.ts";
import { DeviceHub } from "./device-hub.ts";
import { newDevice, ScriptedSocket } from "./fixtures/scripted-socket.ts";

leakCheck();

/** Nothing is done by itself, but what a test asks for. */
const STILL: Beats = { alive: 3_600_000, renew: 3_600_000, ping: 3_600_000, saw: 3_600_000 };

let server: TestRedis;
let closes: (() => Promise<void>)[];
let reports: string[];
let removed: Set<string>;
let numbers: number;
let offered: [connection: string, names: string[]][];
let asker: DeviceAsker;
let lines: DeviceLines;

beforeAll(async () => {
  server = await openTestRedis();
});
afterAll(() => server.close());
beforeEach(async () => {
  [closes, reports, removed, numbers, offered] = [[], [], new Set(), 0, []];
  lines = await openLines("asks");
  asker = new DeviceAsker({ lines, report, lookMs: 10 });
  closes.unshift(() => asker.close());
});
afterEach(async () => {
  for (const close of closes) await close();
  expect(reports).toEqual([]);
});

const report = (what: string): void => void reports.push(what);

async function openLines(self: string): Promise<DeviceLines> {
  const redis = await openStreamRedis({ redisUrl: server.url, onError: (error) => report(error.message) });
  closes.push(() => redis.close());
  return openDeviceLines(redis, {
    self: `${self}_${newDeviceId()}`,
    onError: (error) => report(String(error)),
  });
}

async function openHub(beats: Partial<Beats> = {}, socketsMax = 100, unreadBytesMax = 1_000_000) {
  const own = await openLines("holds");
  const hub = new DeviceHub({
    lines: own,
    devices: {
      came: async ({ deviceId }) => !removed.has(deviceId),
      saw: async (ids) => ids.filter((id) => !removed.has(id)),
    },
    parseJson: parseJsonText,
    renew: async (_device, connection, commands) => {
      offered.push([connection, commands.map(({ name }) => name)]);
    },
    clock: () => new Date(),
    report,
    beats: { ...STILL, ...beats },
    socketsMax,
    unreadBytesMax,
  });
  closes.unshift(() => hub.close());
  return { hub, self: own.self };
}

async function connect(hub: DeviceHub, device = newDevice(), number = (numbers += 1)) {
  const socket = new ScriptedSocket();
  await hub.accept({ device, connection: String(number) }, socket.asWebSocket);
  return { socket, device };
}

const NOBODY = new AbortController().signal;
const ask = (device: Device, more: { timeoutMs?: number; signal?: AbortSignal; told?: string[] } = {}) => {
  const { timeoutMs = 60_000, signal = NOBODY, told = [] } = more;
  const { tenantId, deviceId } = device;
  const asking = { device: { tenantId, deviceId }, command: "do", arguments: { a: 1 }, timeoutMs };
  return asker.ask(asking, (message) => told.push(message), signal);
};
const sent = (socket: ScriptedSocket, type: string) =>
  until(() => socket.sent.find((frame) => frame.type === type), { what: `a frame ${type}` });

test("a question goes to the device and its answer comes back, with what it says on its way", async () => {
  const { hub } = await openHub();
  const { socket, device } = await connect(hub);
  const told: string[] = [];
  const answer = ask(device, { told });
  const { id, command, arguments: args } = await sent(socket, "invoke");
  expect([command, args]).toEqual(["do", { a: 1 }]);
  socket.say({ type: "progress", id, message: "half way" });
  socket.say({ type: "result", id, ok: true, value: { done: [1, null] } });
  socket.say({ type: "result", id, ok: true, value: "again" });
  expect(await answer).toEqual({ ok: true, valueJson: '{"done":[1,null]}' });
  expect(told).toEqual(["half way"]);
  const nothing = ask(device);
  const again = await until(() => socket.sent[1], { what: "the second question" });
  socket.say({ type: "result", id: again.id, ok: true });
  expect(await nothing).toEqual({ ok: true, valueJson: "null" });
});

test("the time that a question has is kept, and the device is told when it is over", async () => {
  const { hub } = await openHub();
  const { socket, device } = await connect(hub);
  expect(await ask(device, { timeoutMs: 20 })).toMatchObject({ ok: false, code: "timeout" });
  expect((await sent(socket, "cancel")).id).toBe(socket.sent[0]?.id);
});

test("whoever gives up is answered at once, and the device is told", async () => {
  const { hub } = await openHub();
  const { socket, device } = await connect(hub);
  const stop = new AbortController();
  const answer = ask(device, { signal: stop.signal });
  const { id } = await sent(socket, "invoke");
  stop.abort();
  expect(await answer).toMatchObject({ ok: false, code: "aborted" });
  expect((await sent(socket, "cancel")).id).toBe(id);
  expect(await ask(device, { signal: stop.signal })).toMatchObject({ code: "aborted" });
  expect(socket.sent).toHaveLength(2);
});

test("nobody waits for a device that is nowhere, leaves, or whose process dies", async () => {
  const { hub, self } = await openHub();
  expect(await ask(newDevice())).toMatchObject({ ok: false, code: "offline" });
  const { socket, device } = await connect(hub);
  const left = ask(device);
  await sent(socket, "invoke");
  socket.terminate();
  expect(await left).toMatchObject({ ok: false, code: "lost" });
  const second = await connect(hub);
  const dead = ask(second.device);
  await sent(second.socket, "invoke");
  // As if the process had been killed: nobody says any more that it lives.
  const redis = await openStreamRedis({ redisUrl: server.url, onError: () => undefined });
  await redis.commands.del(`bh:device-holder:{${self}}`);
  await redis.close();
  expect(await dead).toMatchObject({ ok: false, code: "lost" });
});

test("a device has one connection, the latest, at whichever process", async () => {
  const { hub: one } = await openHub();
  const { hub: two } = await openHub();
  const device = newDevice();
  const first = await connect(one, device);
  const asked = ask(device);
  await sent(first.socket, "invoke");
  const second = await connect(two, device);
  expect(await asked).toMatchObject({ ok: false, code: "lost" });
  await until(() => first.socket.closed, { what: "the first connection is closed" });
  const third = await connect(two, device);
  expect(second.socket.closed).toMatchObject({ code: 1008 });
  const answer = ask(device);
  const { id } = await sent(third.socket, "invoke");
  third.socket.say({ type: "result", id, ok: true, value: 3 });
  expect(await answer).toEqual({ ok: true, valueJson: "3" });
  expect(await lines.online(device.tenantId)).toEqual([device.deviceId]);
});

test("the latest connection is the one that was let in last, not the one that was slower", async () => {
  const { hub: one } = await openHub();
  const { hub: two } = await openHub();
  const device = newDevice();
  const { socket: late } = await connect(one, device, 12);
  const { socket: early } = await connect(two, device, 9);
  expect([late.closed, early.closed]).toEqual([
    null,
    { code: 1008, reason: expect.stringContaining("another") },
  ]);
  expect(await lines.holderOf(device)).toMatchObject({ connection: "12" });
});

test("what a device says it offers before it is let in is kept once it is", async () => {
  const { hub } = await openHub();
  const socket = new ScriptedSocket();
  const accepted = hub.accept({ device: newDevice(), connection: "1" }, socket.asWebSocket);
  socket.say({ type: "hello", commands: [{ name: "a", description: "" }] });
  expect(offered).toEqual([]);
  await accepted;
  expect(offered).toEqual([["1", ["a"]]]);
});

test("what was asked of a connection that was replaced meanwhile is not done by the next one", async () => {
  const { hub } = await openHub();
  const { device } = await connect(hub);
  const before = await lines.holderOf(device);
  const { socket } = await connect(hub, device);
  const mine = await openLines("mine");
  const heard: DeviceMessage[] = [];
  closes.unshift(await mine.listen((message) => heard.push(message)).then((stop) => async () => stop()));
  const { process = "", connection = "" } = before ?? {};
  const rest = { command: "do", arguments: {}, timeoutMs: 60_000 };
  await mine.send(process, { type: "invoke", from: mine.self, id: "1", connection, ...rest });
  const answer = await until(() => heard[0], { what: "the answer" });
  expect(answer).toMatchObject({ type: "answer", id: "1", answer: { ok: false, code: "offline" } });
  expect(socket.sent).toEqual([]);
});

test("a device that was removed is let in no more, closed when that is told, and at the latest when it is looked", async () => {
  const { hub } = await openHub({ saw: 20 });
  const early = newDevice();
  removed.add(early.deviceId);
  expect((await connect(hub, early)).socket.closed).toMatchObject({ code: 1008 });
  const { socket, device } = await connect(hub);
  const { tenantId, deviceId } = device;
  const holder = await lines.holderOf(device);
  await lines.send(holder?.process ?? "", {
    type: "close",
    device: { tenantId, deviceId },
    connection: null,
    why: "removed",
  });
  await until(() => socket.closed, { what: "the told one is closed" });
  const late = await connect(hub);
  removed.add(late.device.deviceId);
  await until(() => late.socket.closed, { what: "the other one is closed" });
  await until(async () => (await lines.holderOf(late.device)) === null, { what: "it is offline" });
});

test("a Redis that was emptied hears of the devices again as soon as their process lives, and commands go on", async () => {
  const { hub } = await openHub({ alive: 20 });
  const { socket, device } = await connect(hub);
  // As often as it looks by itself: within four looks the process says that it lives.
  const patient = new DeviceAsker({ lines: await openLines("patient"), report });
  closes.unshift(() => patient.close());
  const { tenantId, deviceId } = device;
  const asking = { device: { tenantId, deviceId }, command: "do", arguments: {}, timeoutMs: 60_000 };
  const answer = patient.ask(asking, () => undefined, NOBODY);
  const { id } = await sent(socket, "invoke");
  const redis = await openStreamRedis({ redisUrl: server.url, onError: () => undefined });
  await redis.commands.flushall();
  await redis.close();
  await until(async () => (await lines.holderOf(device)) !== null, { what: "it is online again" });
  socket.say({ type: "result", id, ok: true, value: "done" });
  expect(await answer).toEqual({ ok: true, valueJson: '"done"' });
});

test("devices are pinged", async () => {
  const { hub } = await openHub({ ping: 10 });
  const { socket } = await connect(hub);
  await until(() => socket.pings > 1, { what: "two pings" });
});

test("a process that stops sends its devices away and answers for them; afterwards it takes none", async () => {
  const { hub } = await openHub();
  const { socket, device } = await connect(hub);
  const answer = ask(device);
  await sent(socket, "invoke");
  await hub.close();
  expect(socket.closed).toMatchObject({ code: 1001 });
  expect(await answer).toMatchObject({ ok: false, code: "lost" });
  expect(await lines.holderOf(device)).toBeNull();
  expect(hub.isFull).toBe(true);
  expect((await connect(hub)).socket.closed).toMatchObject({ code: 1001 });
});

test("a process has room for so many, and one device for so many questions", async () => {
  const { hub } = await openHub({}, 1);
  const { socket, device } = await connect(hub);
  expect(hub.isFull).toBe(true);
  const stop = new AbortController();
  const asked = Array.from({ length: 17 }, () => ask(device, { signal: stop.signal }));
  expect(await Promise.race(asked)).toMatchObject({ ok: false, code: "busy" });
  expect(socket.sent).toHaveLength(16);
  stop.abort();
  await Promise.all(asked);
  socket.terminate();
  await until(() => !hub.isFull, { what: "there is room again" });
});

test("where a process holds too much that isn't read, the slowest is cut off of the tenant that has most of it", async () => {
  const { hub } = await openHub({}, 100, 1_000);
  const { tenantId } = newDevice();
  const ofCrowd = () => connect(hub, { ...newDevice(), tenantId });
  const [alone, good] = [await connect(hub), await connect(hub)];
  const [slower, slow] = [await ofCrowd(), await ofCrowd()];
  const fill = async ({ socket, device }: typeof alone, many: number) => {
    socket.reads = false;
    const asked = Array.from({ length: many }, () => ask(device));
    await until(() => socket.sent.length === many, { what: "all are asked" });
    return asked;
  };
  // Alone it has more than each of the others, and less than both.
  const others = await fill(alone, 6);
  const cut = await fill(slower, 5);
  others.push(...(await fill(slow, 3)));
  for (const answer of await Promise.all(cut)) expect(answer).toMatchObject({ ok: false, code: "lost" });
  expect([slower, slow, alone].map(({ socket }) => socket.closed)).toEqual(["cut", null, null]);
  const served = ask(good.device);
  const { id } = await sent(good.socket, "invoke");
  good.socket.say({ type: "result", id, ok: true, value: 1 });
  expect(await served).toEqual({ ok: true, valueJson: "1" });
  for (const { socket } of [alone, slow]) socket.terminate();
  await Promise.all(others);
  expect(reports.splice(0)).toEqual(["a device that reads too slowly was cut off"]);
});
