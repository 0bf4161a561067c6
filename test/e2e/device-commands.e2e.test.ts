import { sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";
import { COMMANDS, DEVICES, offered, pairDevice, ScriptedDevice } from "../support/scripted-device.ts";

const product = await sharedProduct();
const NODES = "/api/v1/custom-tools/nodes/execute";

let tenant: AgentTenant;
let owner: Client;
let laptop: { id: string; token: string };
let device: ScriptedDevice;

beforeAll(async () => {
  tenant = await newAgentTenant(product);
  ({ owner } = tenant);
  laptop = await pairDevice(owner, { commands: COMMANDS });
  device = await ScriptedDevice.connected(owner, laptop, COMMANDS);
});
afterAll(() => device.leave());

const nodes = (client: Client, args: object, more: object = {}) =>
  client.post(NODES, { arguments: args, ...more });
const invoke = (command: string, args: object = {}, more: object = {}, client = owner) =>
  nodes(client, { action: "invoke", device: "laptop", command, arguments: args, ...more });
const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });

test("an agent finds a device, reads what it can do, and has it done", async () => {
  const { one } = tenant;
  await settings({ tools: { nodes: "preApproved" } });
  const { result } = (await nodes(one, { action: "list" })).body.data;
  expect(result.devices).toEqual([
    { id: laptop.id, name: "laptop", platform: "linux", online: true, commands: Object.keys(COMMANDS) },
  ]);
  const described = (await nodes(one, { action: "describe", device: laptop.id })).body.data.result;
  expect(described.commands[0]).toEqual(offered(COMMANDS)[0]);
  const added = await invoke("add", { a: 1, b: 2 }, {}, one);
  expect(added.body.data).toMatchObject({
    status: "succeeded",
    result: { device: "laptop", command: "add", value: 3 },
  });
  const byId = await nodes(one, {
    action: "invoke",
    device: laptop.id,
    command: "echo",
    arguments: { x: [null] },
  });
  expect(byId.body.data.result.value).toEqual({ x: [null] });
  await settings({ tools: {} });
});

test("what a device says on its way is progress of the execution", async () => {
  const args = { action: "invoke", device: "laptop", command: "steps" };
  const reader = await owner.stream(NODES, { arguments: args, mode: "stream" });
  const told = await reader.rest();
  expect(told.filter(({ event }) => event === "execution.progress").map(({ data }) => data["value"])).toEqual(
    [{ device: "laptop", command: "steps", message: "half way" }],
  );
});

test.each([
  {},
  { action: "explode" },
  { action: "invoke", device: 7 },
  { action: "invoke", device: "laptop", command: "add", timeoutMs: 0 },
  { action: "invoke", device: "laptop", command: "add", timeoutMs: 120_001 },
  { action: "list", all: true },
])("%j is refused by the tool's schema", async (args) => {
  const { status, body } = await nodes(owner, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
});

test.each([
  [{ action: "describe" }, /^device: /],
  [{ action: "invoke", device: "laptop" }, /^command: /],
  [{ action: "list", device: "laptop" }, /device/],
  [{ action: "describe", device: "desktop" }, /no device "desktop" that you may use/],
  [{ action: "invoke", device: "laptop", command: "rm" }, /no command "rm"; it has: add, echo/],
  [{ action: "invoke", device: "laptop", command: "add" }, /a/],
  [{ action: "invoke", device: "laptop", command: "add", arguments: { a: "1", b: 2 } }, /arguments\.a: /],
  [{ action: "invoke", device: "laptop", command: "add", arguments: { a: 1, b: 2, c: 3 } }, /c/],
])("%j fails in words that a model can use, and never leaves", async (args, words) => {
  const before = device.heard.length;
  const { status, error } = (await nodes(owner, args)).body.data;
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  expect(error.message).toMatch(words);
  expect(device.heard).toHaveLength(before);
});

test("a device's failure is told in its words, made harmless", async () => {
  const { error } = (await invoke("fails")).body.data;
  expect(error.message).toContain(String.raw`"laptop" says: the disk is\x1b[31m full`);
});

test("a device that doesn't answer in time is told to stop, and so is one whose call is cancelled", async () => {
  const { error } = (await invoke("hangs", {}, { timeoutMs: 50 })).body.data;
  expect(error.message).toMatch(/did not answer within 50 ms/);
  const { id, timeoutMs } = device.heard.findLast(({ type }) => type === "invoke")!;
  expect(timeoutMs).toBe(50);
  expect((await device.frame("cancel")).id).toBe(id);
  device.say({ type: "result", id, ok: true, value: "too late" });
  const asked = { action: "invoke", device: "laptop", command: "hangs" };
  const { executionId } = (await nodes(owner, asked, { mode: "async" })).body.data;
  const invoked = await until(
    () =>
      device.heard.find(
        (one) => one.type === "invoke" && one.timeoutMs === 30_000 && one.command === "hangs",
      ),
    {
      what: "the device is asked",
    },
  );
  await owner.post(`/api/v1/executions/${executionId}/cancel`, {});
  expect((await device.frame("cancel", 1)).id).toBe(invoked.id);
});

test("a device that is not there, or leaves in the midst of it, is told of at once", async () => {
  const paired = await pairDevice(owner, { name: "gone", commands: COMMANDS });
  const hang = { action: "invoke", device: "gone", command: "hangs" };
  expect((await nodes(owner, hang)).body.data.error).toMatchObject({
    message: '"gone": the device is not connected',
    refusal: "unavailable",
  });
  const leaving = await ScriptedDevice.connected(owner, paired, COMMANDS);
  const asked = nodes(owner, hang);
  await leaving.frame("invoke");
  await leaving.leave();
  expect((await asked).body.data.error).toMatchObject({
    code: "tool.threw",
    message: expect.stringMatching(/connection ended before it answered; whether it was done is not known/),
    refusal: "outcome_unknown",
  });
  await owner.delete(`${DEVICES}/${paired.id}`);
});

test("a device of an agent's or a user's is nobody else's", async () => {
  const { one, two } = tenant;
  await settings({ tools: { nodes: "preApproved" } });
  const mine = await pairDevice(owner, { name: "agents", agentId: "one" });
  const hers = await pairDevice(owner, { name: "anns", userId: "ann" });
  const seen = async (client: Client, context: object = {}) => {
    const { result } = (await nodes(client, { action: "list" }, { context })).body.data;
    return result.devices
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => name.endsWith("s"));
  };
  expect(await seen(one)).toEqual(["agents"]);
  expect(await seen(two)).toEqual([]);
  expect(await seen(owner)).toEqual([]);
  expect(await seen(two, { userId: "ann" })).toEqual(["anns"]);
  expect(await seen(two, { userId: "bob" })).toEqual([]);
  for (const ref of [mine.id, "agents", hers.id])
    expect((await nodes(two, { action: "describe", device: ref })).body.data.error.message).toMatch(
      /no device/,
    );
  await settings({ tools: {} });
  await Promise.all([mine, hers].map(({ id }) => owner.delete(`${DEVICES}/${id}`)));
});

test("an agent is let by a word of it alone; a person who is asked sees device, command and arguments", async () => {
  const { one } = tenant;
  const before = device.heard.length;
  expect((await invoke("echo", {}, {}, one)).body.data?.result).toBeUndefined();
  await settings({ tools: { nodes: "requireApproval" } });
  const args = { action: "invoke", device: "laptop", command: "echo", arguments: { path: "/etc" } };
  const asked = await nodes(one, args, { mode: "async" });
  expect([asked.status, asked.body.data.status]).toEqual([202, "awaiting_approval"]);
  const { approval, self } = asked.body.data.links;
  expect((await owner.get(approval)).body.data.arguments).toEqual(args);
  expect(device.heard).toHaveLength(before);
  await owner.post(`${approval}/allow-once`, {});
  const done = await until(
    async () => {
      const { data } = (await one.get(self)).body;
      return data.finishedAt ? data : null;
    },
    { what: "the end" },
  );
  expect(done.result.value).toEqual({ path: "/etc" });
  const rules = [{ tool: "nodes", argument: "/command", pattern: "echo", decision: "preApproved" }];
  await settings({ tools: {}, rules });
  expect((await invoke("echo", {}, {}, one)).body.data.status).toBe("succeeded");
  expect((await invoke("hangs", {}, { timeoutMs: 10 }, one)).body.data?.status).not.toBe("failed");
  await settings({ tools: { nodes: "blocked" }, rules: [] });
  expect((await invoke("echo", {}, {}, one)).body.code).toBe("tool.blocked");
  await settings({ tools: {} });
});

test("a policy that names it shows it to models, and one that forbids it hides it", async () => {
  const { owner: ruled, one } = await newAgentTenant(product);
  await ruled.patch("/api/v1/tenant/settings", { approval: { tools: { nodes: "preApproved" } } });
  const names = async () => {
    const { tools } = (await one.get("/api/v1/built-in-tools")).body.data;
    return tools.map(({ name }: { name: string }) => name);
  };
  const put = async (policy: object) => {
    const { headers } = await ruled.get("/api/v1/policy");
    const said = { "content-type": "application/json", "if-match": headers.get("etag")! };
    expect((await ruled.raw("PUT", "/api/v1/policy", JSON.stringify(policy), said)).status).toBe(200);
  };
  await put({ alsoAllow: ["group:nodes"] });
  const shown = (await one.get("/api/v1/custom-tools/active/definitions")).body;
  expect(JSON.stringify(shown)).toContain('"nodes"');
  expect(await names()).toContain("nodes");
  await put({ forbid: ["nodes"] });
  expect(JSON.stringify((await one.get("/api/v1/custom-tools/active/definitions")).body)).not.toContain(
    '"nodes"',
  );
  expect((await nodes(one, { action: "list" })).status).toBe(404);
});

test("secrets are covered on the way to a device and back", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  await createTool(
    owner,
    "tells_device",
    `return utils.callTool("nodes", { action: "invoke", device: "laptop", command: "echo", arguments: { said: "it is ${token}" } });`,
    { permissions: ["shell"] },
  );
  const { data } = (await owner.post("/api/v1/custom-tools/tells_device/execute", { arguments: {} })).body;
  expect(data.result.value).toEqual({ said: "it is [REDACTED]" });
  expect(device.heard.at(-1)?.arguments).toEqual({ said: "it is [REDACTED]" });
  await createTool(
    owner,
    "only_network",
    `return utils.callTool("nodes", { action: "list" }).catch(({ code }) => code);`,
    { permissions: ["network"] },
  );
  const denied = await owner.post("/api/v1/custom-tools/only_network/execute", { arguments: {} });
  expect(denied.body.data.result).toBe("tool_not_allowed");
});
