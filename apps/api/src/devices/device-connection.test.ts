import { DEVICE_FRAME_BYTES_MAX, Fault, type DeviceCommand, type DeviceMessage } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { parseJsonText } from "../edge/json-body.ts";
import { BEATS, MESSAGES_BURST, MESSAGES_PER_SECOND, PROGRESS_MAX } from "./bounds.ts";
import { DeviceConnection } from "./device-connection.ts";
import { newDevice, ScriptedSocket } from "./fixtures/scripted-socket.ts";

const DEVICE = newDevice();

let now: number;
let told: [string, DeviceMessage][];
let renewed: (readonly DeviceCommand[])[];
let renewal: Promise<void>;
let reports: string[];
let unread: number;
let socket: ScriptedSocket;
let connection: DeviceConnection;

beforeEach(() => {
  [now, told, renewed, renewal, reports, unread] = [1_000, [], [], Promise.resolve(), [], 0];
  socket = new ScriptedSocket();
  const deps = {
    parseJson: parseJsonText,
    tell: (to: string, message: DeviceMessage) => void told.push([to, message]),
    renew: (_device: unknown, _connection: string, commands: readonly DeviceCommand[]) => {
      renewed.push(commands);
      return renewal;
    },
    unread: (bytes: number) => void (unread += bytes),
    now: () => now,
    report: (what: string) => void reports.push(what),
  };
  connection = new DeviceConnection(deps, { device: DEVICE, connection: "1" }, socket.asWebSocket);
  connection.letIn();
});

const invoke = (id = "1", args: object = {}): void =>
  connection.invoke({
    type: "invoke",
    from: "asker",
    id,
    connection: connection.id,
    command: "do",
    arguments: args as { [name: string]: string },
    timeoutMs: 60_000,
  });
const answers = () => told.flatMap(([, message]) => (message.type === "answer" ? [message.answer] : []));
const progress = () => told.filter(([, { type }]) => type === "progress").length;

test.each([
  ["a binary message", Buffer.from("{}"), true],
  ["no UTF-8 that is JSON", Buffer.from([0xff, 0xfe]), false],
  ["a list", Buffer.from("[]"), false],
  [
    "a name that no body may have",
    Buffer.from('{"type":"result","id":"i1","ok":true,"value":{"__proto__":1}}'),
    false,
  ],
  ["a result without an id", Buffer.from('{"type":"result","ok":true}'), false],
  [
    "objects without end",
    Buffer.from(`{"type":"progress","id":"1","message":"","x":[${"{},".repeat(110_000)}{}]}`),
    false,
  ],
])("a device that sends %s is disconnected, and what it was asked ends", (_what, bytes, isBinary) => {
  invoke();
  socket.emit("message", bytes, isBinary);
  expect(socket.closed).toMatchObject({ code: 1008 });
  expect(answers()).toEqual([expect.objectContaining({ ok: false, code: "lost" })]);
  invoke("2");
  expect(answers()[1]).toMatchObject({ ok: false, code: "offline" });
});

test("a failure is the device's own word, cut to its bound", () => {
  invoke();
  socket.say({ type: "result", id: "i1", ok: false, error: "x".repeat(5_000) });
  invoke("2");
  socket.say({ type: "result", id: "i2", ok: false });
  expect(answers()).toEqual([
    { ok: false, code: "failed", message: "x".repeat(2_000) },
    { ok: false, code: "failed", message: "the device gave no reason" },
  ]);
});

test("a device answers what it was asked alone, and once", () => {
  invoke();
  socket.say({ type: "result", id: "i2", ok: true, value: "of another" });
  socket.say({ type: "result", id: "i1", ok: true, value: 1 });
  socket.say({ type: "result", id: "i1", ok: true, value: 2 });
  expect(told).toEqual([["asker", { type: "answer", id: "1", answer: { ok: true, valueJson: "1" } }]]);
});

test("a question is cancelled by the process that asked it alone", () => {
  invoke();
  connection.cancel("another", "1");
  expect(socket.sent.map(({ type }) => type)).toEqual(["invoke"]);
  connection.cancel("asker", "1");
  expect(socket.sent.at(-1)).toEqual({ type: "cancel", id: "i1" });
  socket.say({ type: "result", id: "i1", ok: true, value: 1 });
  expect(told).toEqual([]);
});

test("arguments that are larger than a message are not sent", () => {
  invoke("1", { text: "x".repeat(DEVICE_FRAME_BYTES_MAX) });
  expect(answers()).toEqual([expect.objectContaining({ code: "too_large" })]);
  expect(socket.sent).toEqual([]);
});

test("a device that reads too slowly is asked nothing more, and cut off at the next ping", () => {
  invoke();
  expect(unread).toBe(0);
  socket.reads = false;
  const large = { text: "x".repeat(1_000_000) };
  for (const id of ["2", "3", "4", "5", "6"]) invoke(id, large);
  expect(connection.unreadBytes).toBeGreaterThan(5_000_000);
  expect(unread).toBe(connection.unreadBytes);
  invoke("7");
  expect(answers()).toEqual([expect.objectContaining({ code: "busy" })]);
  expect([socket.sent.length, socket.closed]).toEqual([6, null]);
  connection.ping();
  expect([socket.closed, socket.pings, unread]).toEqual(["cut", 0, 0]);
  expect(answers()).toHaveLength(7);
});

test("of a device's words on its way so many are told", () => {
  invoke();
  for (let n = 0; n <= PROGRESS_MAX; n += 1)
    socket.say({ type: "progress", id: "i1", message: "x".repeat(1_000) });
  expect(progress()).toBe(PROGRESS_MAX);
  expect(told[0]?.[1]).toEqual({ type: "progress", id: "1", message: "x".repeat(500) });
});

test("a device may send so many messages at once, and so many a second then; large ones count for more", () => {
  const say = (): void => socket.say({ type: "progress", id: "none", message: "" });
  for (let n = 1; n < MESSAGES_BURST; n += 1) say();
  expect(socket.closed).toBeNull();
  now += 1_000;
  for (let n = 0; n < MESSAGES_PER_SECOND; n += 1) say();
  expect(socket.closed).toBeNull();
  say();
  expect(socket.closed).toEqual({ code: 1008, reason: "too many messages" });
});

test("large messages count for more", () => {
  const large = { type: "progress", id: "none", message: "x".repeat(1_000_000) };
  for (let n = 0; n < 20 && socket.closed === null; n += 1) socket.say(large);
  expect(socket.closed).toEqual({ code: 1008, reason: "too many messages" });
});

test("a device that says anything, or answers a ping, is not silent", () => {
  now += 40_000;
  expect(connection.silentMs).toBe(40_000);
  socket.emit("pong");
  expect(connection.silentMs).toBe(0);
  now += 7;
  socket.say({ type: "progress", id: "none", message: "" });
  expect(connection.silentMs).toBe(0);
});

test("what it offers anew is kept, but no oftener than once in a second", async () => {
  const commands = [
    { name: "a", description: "", parameters: { type: "object" } },
    { name: "b", description: "" },
  ];
  socket.say({ type: "hello", commands });
  expect(renewed).toEqual([[commands[0], { ...commands[1], parameters: null }]]);
  now += 1_000;
  const detail = "commands.0.parameters: is none\u{1f600}".padEnd(200, "\u{1f600}");
  renewal = Promise.reject(new Fault("request.invalid", { detail }));
  socket.say({ type: "hello", commands });
  await renewal.catch(() => undefined);
  const { reason } = socket.closed as { reason: string };
  expect(reason).toMatch(/^the commands could not be kept: commands\.0/);
  expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
  expect(reason.isWellFormed()).toBe(true);
});

test("what it offers is kept one after the other, and of what was said meanwhile the last alone", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  renewal = promise;
  const say = (name: string): void => {
    now += 1_000;
    socket.say({ type: "hello", commands: [{ name, description: "" }] });
  };
  for (const name of ["a", "b", "c"]) say(name);
  const names = () => renewed.map(([command]) => command?.name);
  expect(names()).toEqual(["a"]);
  resolve();
  await new Promise(setImmediate);
  expect(names()).toEqual(["a", "c"]);
  say("d");
  expect(names()).toEqual(["a", "c", "d"]);
});

test("where what it offers can't be kept for now it may come again, and hears nothing of the inside", async () => {
  renewal = Promise.reject(new Fault("service.unavailable", { internal: "db-1 is away" }));
  socket.say({ type: "hello", commands: [] });
  await renewal.catch(() => undefined);
  expect(socket.closed).toEqual({ code: 1013, reason: "a part of the service is not available" });
  expect(reports).toHaveLength(1);
});

test("where too much is said anew for now it may come again", async () => {
  renewal = Promise.reject(new Fault("device.rate_limited", { detail: "wait" }));
  socket.say({ type: "hello", commands: [] });
  await renewal.catch(() => undefined);
  expect(socket.closed).toEqual({ code: 1013, reason: "the commands could not be kept: wait" });
  expect(reports).toEqual([]);
});

test("a device whose connection was ended says nothing more, also before it knows", () => {
  connection.close(1008, "removed");
  socket.say({ type: "hello", commands: [] });
  expect(renewed).toEqual([]);
});

test("a second hello at once is too many", () => {
  socket.say({ type: "hello", commands: [] });
  socket.say({ type: "hello", commands: [] });
  expect(socket.closed).toMatchObject({ code: 1008, reason: expect.stringContaining("hello") });
});

test("the beats of a process let no living device and no living process seem gone", () => {
  expect(BEATS.alive * 2).toBeLessThan(6_000);
  expect(BEATS.renew * 2).toBeLessThan(45_000);
  expect(BEATS.ping * 2).toBeLessThan(45_000);
});
