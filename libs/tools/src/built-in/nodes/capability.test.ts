import {
  DANGEROUS_PERMISSIONS,
  DEVICE_TIMEOUT_MS_DEFAULT,
  type AuditDeed,
  type CapabilityCaller,
  type CapabilityRun,
  type Device,
  type DeviceAnswer,
  type JsonObject,
} from "@bulkhead/core";
import { beforeEach, describe, expect, test } from "vitest";
import type { Asking } from "./ask-device.ts";
import { DEVICES_SHOWN_MAX } from "./bounds.ts";
import { openNodes } from "./capability.ts";
import { NODE_TOOLS } from "./definition.ts";

const ADD = { type: "object", required: ["a"] };

const deviceOf = (n: number, more: Partial<Device> = {}): Device => ({
  tenantId: "ten_a",
  deviceId: `dev_${n.toString(16).padStart(16, "0")}`,
  name: `device-${n}`,
  platform: null,
  commands: [
    { name: "add", description: "Adds\u001b[1m.", parameters: ADD },
    { name: "any", description: "", parameters: null },
  ],
  agentId: null,
  userId: null,
  enabled: true,
  lastSeenAt: null,
  pairedBy: "key_1",
  createdAt: new Date(0),
  ...more,
});

let devices: Device[];
let answer: DeviceAnswer | Error;
let asked: Asking[];
let deeds: AuditDeed[];
let told: unknown[];
let checked: string[];
let counted: string[];

beforeEach(() => {
  devices = [deviceOf(1)];
  answer = { ok: true, valueJson: '{"sum":3}' };
  [asked, deeds, told, checked, counted] = [[], [], [], [], []];
});

const CALLER: CapabilityCaller = {
  tenantId: "ten_a",
  executionId: "exe_1",
  toolName: "nodes",
  agentId: "alpha",
  userId: null,
  services: [],
  way: null,
  run: {} as CapabilityRun,
  progress: (value) => told.push(value),
};

const family = openNodes({
  devices: {
    find: async ({ tenantId, deviceId }) =>
      devices.find((one) => one.tenantId === tenantId && one.deviceId === deviceId) ?? null,
    listUsable: async (_tenantId, _caller, { name, limit }) =>
      devices
        .filter((one) => name === undefined || one.name === name)
        .slice(0, limit)
        .map(({ commands, ...one }) => ({ ...one, commandNames: commands.map((command) => command.name) })),
  },
  lines: { online: async () => [deviceOf(1).deviceId] },
  asker: {
    async ask(asking, onProgress) {
      asked.push(asking);
      onProgress("half\u0007way");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  },
  schemas: {
    async checkArguments(_tenantId, key, _schema, value) {
      checked.push(key);
      return "a" in value ? [] : [{ path: "arguments.a", message: "is needed" }];
    },
  },
  audit: { record: async (_by, _tenantId, ...done) => void deeds.push(...done) },
  count: (outcome) => void counted.push(outcome),
});

const run = (operation: string, args: JsonObject, caller: Partial<CapabilityCaller> = {}) =>
  family.run(
    { operation, arguments: args, content: null },
    { ...CALLER, ...caller },
    new AbortController().signal,
  );
const invoke = (more: JsonObject = {}) => run("invoke", { device: "device-1", command: "any", ...more });

test("a model's tool that may invoke commands waits for a person, as one with a shell does", () => {
  expect(DANGEROUS_PERMISSIONS).toContain(NODE_TOOLS.nodes.needs);
});

test("only an invocation changes something, and all that comes back is covered", () => {
  expect([...family.operations]).toEqual([
    ["list", "reads"],
    ["describe", "reads"],
    ["invoke", "writes"],
  ]);
  expect(family.coversAnswers).toBe(true);
});

test("devices are listed with the names of their commands, as many as are shown", async () => {
  devices = Array.from({ length: DEVICES_SHOWN_MAX + 1 }, (_, n) => deviceOf(n + 1, { name: "a\u202eb" }));
  const found = await run("list", {});
  if (!found.ok) throw new Error(found.message);
  const { devices: shown, more } = found.value as { devices: JsonObject[]; more: boolean };
  expect([shown.length, more]).toEqual([DEVICES_SHOWN_MAX, true]);
  const [first, second] = shown;
  expect(first).toMatchObject({ name: String.raw`a\u{202e}b`, online: true, commands: ["add", "any"] });
  expect(second?.["online"]).toBe(false);
});

test("a device is described in harmless words", async () => {
  expect(await run("describe", { device: "device-1" })).toMatchObject({
    ok: true,
    value: { commands: [{ name: "add", description: String.raw`Adds\x1b[1m.`, parameters: ADD }, {}] },
  });
});

describe("an invocation", () => {
  test("has its default time, tells progress, and is recorded without its arguments", async () => {
    expect(await invoke({ arguments: { word: "hush" } })).toEqual({
      ok: true,
      value: { device: "device-1", command: "any", value: { sum: 3 } },
    });
    expect(asked).toEqual([
      {
        device: { tenantId: "ten_a", deviceId: devices[0]?.deviceId },
        command: "any",
        arguments: { word: "hush" },
        timeoutMs: DEVICE_TIMEOUT_MS_DEFAULT,
      },
    ]);
    expect(told).toEqual([{ device: "device-1", command: "any", message: String.raw`half\x07way` }]);
    const details = {
      command: "any",
      executionId: "exe_1",
      tool: "nodes",
      agentId: "alpha",
      outcome: "succeeded",
    };
    expect(deeds).toEqual([
      { action: "device.command_invoked", id: devices[0]?.deviceId, name: "device-1", details },
    ]);
  });

  test.each([
    ["failed", "failed", /^"device-1" says: it broke$/],
    ["timeout", "timeout", /^"device-1": it broke$/],
    ["aborted", "aborted", /it broke/],
    ["offline", "unavailable", /it broke/],
    ["lost", "outcome_unknown", /it broke/],
    ["busy", "capability_limit", /it broke/],
    ["too_large", "capability_limit", /it broke/],
  ] as const)("that ends as %s is told as %s, and recorded", async (code, refusal, message) => {
    answer = { ok: false, code, message: "it broke" };
    expect(await invoke()).toEqual({ ok: false, code: refusal, message: expect.stringMatching(message) });
    expect(deeds.map(({ details }) => details?.["outcome"])).toEqual([code]);
    expect(counted).toEqual([code]);
  });

  test("that nobody can send is recorded too", async () => {
    answer = new Error("Redis is away");
    await expect(invoke()).rejects.toThrow("Redis is away");
    expect(deeds.map(({ details }) => details?.["outcome"])).toEqual(["unavailable"]);
    expect(counted).toEqual(["unavailable"]);
  });

  test.each([
    [{ timeoutMs: 120_001 }, "invalid_request", /^timeoutMs: /],
    [{ arguments: "text" }, "invalid_request", /^arguments: /],
    [{ arguments: [] }, "invalid_request", /^arguments: /],
    [{ command: "" }, "invalid_request", /^command: /],
    [{ shell: true }, "invalid_request", /shell/],
    [{ command: "rm" }, "not_found", /no command "rm"; it has: add, any\./],
    [{ command: "add" }, "invalid_request", /^arguments\.a: is needed$/],
    [{ device: "device-2" }, "not_found", /no device "device-2" that you may use/],
    [{ device: deviceOf(2).deviceId }, "not_found", /no device/],
  ])("of %j never leaves", async (more, code, message) => {
    expect(await invoke(more)).toEqual({ ok: false, code, message: expect.stringMatching(message) });
    expect([asked, deeds, counted]).toEqual([[], [], []]);
  });

  test("fits the schema that the command has now", async () => {
    await invoke({ command: "add", arguments: { a: 1 } });
    devices = [deviceOf(1, { commands: [{ name: "add", description: "", parameters: { type: "object" } }] })];
    await invoke({ command: "add", arguments: { a: 1 } });
    expect(new Set(checked).size).toBe(2);
  });
});

test("a name that two devices have names none, their ids do", async () => {
  devices = [deviceOf(1, { name: "twin" }), deviceOf(2, { name: "twin" })];
  expect(await invoke({ device: "twin" })).toMatchObject({ code: "conflict" });
  expect(await invoke({ device: deviceOf(2).deviceId })).toMatchObject({ ok: true });
});

test.each([{ enabled: false }, { agentId: "beta" }, { userId: "ann" }, { tenantId: "ten_b" }])(
  "an id of a device with %j opens nothing",
  async (more) => {
    devices = [deviceOf(1, { ...more, name: "other" })];
    expect(await run("describe", { device: deviceOf(1).deviceId })).toMatchObject({ code: "not_found" });
  },
);

test("there is no other operation", async () => {
  expect(await run("reboot", {})).toMatchObject({ code: "invalid_request" });
});
