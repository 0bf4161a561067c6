import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTenant, type Client } from "../support/client.ts";
import { COMMANDS, DEVICES, pairDevice, ScriptedDevice } from "../support/scripted-device.ts";

const NODES = "/api/v1/custom-tools/nodes/execute";
/** One address may pair 60 in a minute. */
const DEVICES_AT_ONCE = 20;

let product: Product;
let owner: Client;
let laptop: { id: string; token: string };
let device: ScriptedDevice;

beforeAll(async () => {
  product = await startProduct();
  ({ owner } = await newTenant(product));
  laptop = await pairDevice(owner, { commands: COMMANDS });
  device = await ScriptedDevice.connected(owner, laptop, COMMANDS);
});
afterAll(() => product.stop());

const ask = (command: string, mode = "sync", name = "laptop") =>
  owner.post(NODES, { arguments: { action: "invoke", device: name, command }, mode });
const isReady = () =>
  until(async () => (await owner.get("/readyz")).status === 200, { what: "the API is ready" });

test("a Redis that has forgotten everything hears of connected devices again, by their own connections", async () => {
  product.showLogsIfTestFails();
  await product.redis?.restartEmpty();
  await isReady();
  await until(async () => (await ask("echo")).body.data.status === "succeeded", {
    what: "a command of the device is done",
    timeoutMs: 60_000,
  });
  expect(device.heard.at(-1)?.command).toBe("echo");
});

test("a command that a device works on while Redis forgets everything ends with its answer", async () => {
  product.showLogsIfTestFails();
  const { executionId } = (await ask("hangs", "async")).body.data;
  const { id } = await until(() => device.heard.slice(-1).find(({ command }) => command === "hangs"), {
    what: "the device is asked",
  });
  await product.redis?.restartEmpty();
  await isReady();
  await until(async () => (await owner.get(`${DEVICES}/${laptop.id}`)).body.data.online, {
    what: "the device is online again",
  });
  device.say({ type: "result", id, ok: true, value: "late" });
  const ended = await until(
    async () => {
      const { data } = (await owner.get(`/api/v1/executions/${executionId}`)).body;
      return data.finishedAt ? data : null;
    },
    { what: "the execution has ended", timeoutMs: 25_000 },
  );
  expect(ended).toMatchObject({ status: "succeeded", result: { value: "late" } });
});

test("a process that is killed with a device's connection leaves nobody waiting", async () => {
  product.showLogsIfTestFails();
  const { executionId } = (await ask("hangs", "async")).body.data;
  await until(() => device.heard.at(-1)?.command === "hangs", { what: "the device is asked" });
  await product.api.kill();
  await device.closed;
  await product.api.restart();
  await isReady();
  const ended = await until(
    async () => {
      const { data } = (await owner.get(`/api/v1/executions/${executionId}`)).body;
      return data.finishedAt ? data : null;
    },
    { what: "the execution has ended", timeoutMs: 25_000 },
  );
  expect(ended.error).toMatchObject({
    message: expect.stringMatching(/connection ended before it answered/),
    refusal: "outcome_unknown",
  });
  device = await ScriptedDevice.connected(owner, laptop, COMMANDS);
  expect((await ask("echo")).body.data.status).toBe("succeeded");
});

test("a process that stops sends its devices away in order, and they come back", async () => {
  product.showLogsIfTestFails();
  const { executionId } = (await ask("hangs", "async")).body.data;
  await until(() => device.heard.at(-1)?.command === "hangs", { what: "the device is asked" });
  await product.api.restart();
  expect(await device.closed).toEqual({ code: 1001, reason: "the server stops" });
  await isReady();
  const ended = await until(
    async () => {
      const { data } = (await owner.get(`/api/v1/executions/${executionId}`)).body;
      return data.finishedAt ? data : null;
    },
    { what: "the execution has ended" },
  );
  expect(ended.error).toMatchObject({
    message: expect.stringMatching(/connection ended before it answered/),
    refusal: "outcome_unknown",
  });
  device = await ScriptedDevice.connected(owner, laptop, COMMANDS);
  expect((await ask("echo")).body.data.status).toBe("succeeded");
});

test("many devices are asked at once, and each answers for itself", async () => {
  product.showLogsIfTestFails();
  const names = Array.from({ length: DEVICES_AT_ONCE }, (_, n) => `many-${n}`);
  const paired = [];
  for (const name of names) paired.push(await pairDevice(owner, { name, commands: COMMANDS }));
  const connected = await Promise.all(paired.map((one) => ScriptedDevice.connected(owner, one, COMMANDS)));
  const answers = await Promise.all(
    names.flatMap((name) => Array.from({ length: 5 }, () => ask("echo", "sync", name))),
  );
  expect(answers.map(({ body }) => body.data.status)).toEqual(answers.map(() => "succeeded"));
  expect(connected.map(({ heard }) => heard.length)).toEqual(connected.map(() => 5));
  await Promise.all(connected.map((one) => one.leave()));
});
