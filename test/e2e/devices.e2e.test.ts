import { apiBeside, sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import {
  DEVICES,
  NEVER,
  offered,
  pairBy,
  pairDevice,
  ScriptedDevice,
  upgrade,
  type Commands,
} from "../support/scripted-device.ts";

const product = await sharedProduct();
const CODES = `${DEVICES}/pairing-codes`;
const NODES = "/api/v1/custom-tools/nodes/execute";

const COMMANDS: Commands = {
  add: {
    does: ({ a, b }) => Number(a) + Number(b),
    parameters: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
  },
  echo: { does: (args) => args },
  steps: {
    does: (_args, say) => {
      say("half way");
      return "done";
    },
  },
  fails: {
    does: () => {
      throw new Error("the disk is\u001b[31m full");
    },
  },
  hangs: { does: () => NEVER },
};

let tenant: AgentTenant;
let owner: Client;
let laptop: { id: string; token: string };
let device: ScriptedDevice;
const others: ScriptedDevice[] = [];

beforeAll(async () => {
  tenant = await newAgentTenant(product);
  ({ owner } = tenant);
  laptop = await pairDevice(owner, { commands: COMMANDS });
  device = await ScriptedDevice.connected(owner, laptop, COMMANDS);
});
afterAll(() => Promise.all([device, ...others].map((one) => one.leave())));

const connect = async (...asked: Parameters<typeof ScriptedDevice.connected>) => {
  const connected = await ScriptedDevice.connected(...asked);
  others.push(connected);
  return connected;
};
const nodes = (client: Client, args: object, more: object = {}) =>
  client.post(NODES, { arguments: args, ...more });
const invoke = (command: string, args: object = {}, more: object = {}, client = owner) =>
  nodes(client, { action: "invoke", device: "laptop", command, arguments: args, ...more });
const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });

test("an owner makes a code, which pairs one device, once", async () => {
  product.showLogsIfTestFails();
  const made = await owner.post(CODES, { name: "Kiosk", userId: "ann" });
  const { code, expiresAt } = made.body.data;
  expect([made.status, made.headers.get("cache-control")]).toEqual([201, "no-store"]);
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  const asked = {
    code: code.toLowerCase().replace("-", " "),
    name: "host-7",
    platform: "linux",
    commands: [],
  };
  const paired = await pairBy(owner.url, asked);
  const { device: shown, token } = paired.body.data;
  expect([paired.status, token]).toEqual([201, expect.stringMatching(/^bhd_[\w-]{43}$/)]);
  expect(shown).toEqual({
    id: expect.stringMatching(/^dev_[0-9a-f]{16}$/),
    name: "Kiosk",
    platform: "linux",
    commands: [],
    userId: "ann",
    enabled: true,
    online: false,
    pairedBy: expect.stringMatching(/^key_/),
    createdAt: expect.any(String),
  });
  const again = await pairBy(owner.url, asked);
  const wrong = await pairBy(owner.url, { ...asked, code: "AAAA-AAAA" });
  expect([again.status, again.body.code]).toEqual([401, "device.code_invalid"]);
  expect({ ...wrong.body, meta: null }).toEqual({ ...again.body, meta: null });
  const read = await owner.get(`${DEVICES}/${shown.id}`);
  expect(read.body.data).toEqual(shown);
  expect(JSON.stringify(read.body)).not.toContain(token);
});

test.each([
  [{ name: "" }, "name"],
  [{ name: "a\u202eb" }, "name"],
  [{ platform: "a\nb" }, "platform"],
  [{ commands: undefined }, "commands"],
  [{ commands: [{ name: "a b", description: "" }] }, "commands.0.name"],
  [{ commands: Array.from({ length: 65 }, (_, n) => ({ name: `c${n}`, description: "" })) }, "commands"],
  [{ commands: offered({ a: COMMANDS["echo"]! }).flatMap((one) => [one, one]) }, "commands"],
  [
    {
      commands: [
        { name: "a", description: "", parameters: { type: "object", properties: { a: { pattern: "(" } } } },
      ],
    },
    /^commands\.0\.parameters/,
  ],
  [{ token: "bhd_mine" }, "token"],
])("a device that says %j is not paired, and the code stays", async (change, path) => {
  const { code } = (await owner.post(CODES, {})).body.data;
  const said = { code, name: "a", commands: [], ...change };
  const { status, body } = await pairBy(owner.url, said);
  expect([status, body.code]).toEqual([400, "request.invalid"]);
  const { path: at } = body.errors[0];
  if (typeof path === "string") expect(at).toBe(path);
  else expect(at).toMatch(path);
  const paired = await pairBy(owner.url, { code, name: "a", commands: [] });
  expect(paired.status).toBe(201);
  await owner.delete(`${DEVICES}/${paired.body.data.device.id}`);
});

test("owners administer devices; others of the tenant look at most, and other tenants see none", async () => {
  const { one } = tenant;
  const { id, owner: lonely } = await newTenant(product);
  const viewer = await newClient(product, id, "viewer");
  expect((await one.get(DEVICES)).body.code).toBe("auth.forbidden");
  expect((await one.post(CODES, {})).body.code).toBe("auth.forbidden");
  expect((await viewer.post(CODES, {})).body.code).toBe("auth.forbidden");
  expect((await viewer.get(DEVICES)).body.data).toEqual({ devices: [], nextCursor: null });
  for (const answer of [
    await lonely.get(`${DEVICES}/${laptop.id}`),
    await lonely.patch(`${DEVICES}/${laptop.id}`, { name: "mine" }),
    await lonely.delete(`${DEVICES}/${laptop.id}`),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, "device.not_found"]);
  expect((await nodes(lonely, { action: "list" })).body.data.result).toEqual({ devices: [], more: false });
});

test("devices are listed in pages, by name and by whether they are online", async () => {
  const { owner: many } = await newTenant(product);
  const ids: string[] = [];
  for (const name of ["100%", "other", "third"]) ids.unshift((await pairDevice(many, { name })).id);
  const idsOf = async (query: string) => {
    const { devices, nextCursor } = (await many.get(`${DEVICES}?${query}`)).body.data;
    return [devices.map(({ id }: { id: string }) => id), nextCursor];
  };
  expect(await idsOf("limit=2")).toEqual([ids.slice(0, 2), ids[1]]);
  expect(await idsOf(`limit=2&cursor=${ids[1]}`)).toEqual([ids.slice(2), null]);
  expect(await idsOf("q=%25")).toEqual([[ids[2]], null]);
  expect(await idsOf("q=OTH")).toEqual([[ids[1]], null]);
  expect(await idsOf("q=_")).toEqual([[], null]);
  expect(await idsOf("online=true")).toEqual([[], null]);
  expect(await idsOf("online=false")).toEqual([ids, null]);
  expect((await many.get(`${DEVICES}?online=maybe`)).body.errors[0].path).toBe("online");
  const online = (await owner.get(`${DEVICES}?online=true`)).body.data.devices;
  expect(online.map(({ id }: { id: string }) => id)).toEqual([laptop.id]);
});

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
  [{ action: "describe" }, /: device: /],
  [{ action: "invoke", device: "laptop" }, /: command: /],
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
  expect((await nodes(owner, hang)).body.data.error.message).toMatch(/"gone": the device is not connected/);
  const leaving = await connect(owner, paired, COMMANDS);
  const asked = nodes(owner, hang);
  await leaving.frame("invoke");
  await leaving.leave();
  expect((await asked).body.data.error.message).toMatch(/connection ended before it answered/);
  await owner.delete(`${DEVICES}/${paired.id}`);
});

test("removing a device, or turning it off, closes its connection, and its token opens nothing", async () => {
  const paired = await pairDevice(owner, { name: "short", commands: COMMANDS });
  const first = await connect(owner, paired, COMMANDS);
  const off = await owner.patch(`${DEVICES}/${paired.id}`, { name: "short-lived", enabled: false });
  expect(off.body.data).toMatchObject({ name: "short-lived", enabled: false, online: false });
  expect(await first.closed).toMatchObject({ code: 1008, reason: expect.stringContaining("not enabled") });
  const bearer = { authorization: `Bearer ${paired.token}` };
  expect((await upgrade(owner.url, bearer)).body.code).toBe("device.token_invalid");
  const hidden = (await nodes(owner, { action: "list" })).body.data.result.devices;
  expect(hidden.map(({ name }: { name: string }) => name)).not.toContain("short-lived");
  await owner.patch(`${DEVICES}/${paired.id}`, { enabled: true });
  const second = await connect(owner, paired, COMMANDS);
  expect((await owner.delete(`${DEVICES}/${paired.id}`)).body.data).toEqual({ deleted: true });
  expect(await second.closed).toMatchObject({ code: 1008 });
  const refused = await upgrade(owner.url, bearer);
  expect([refused.status, refused.body.code]).toEqual([401, "device.token_invalid"]);
  expect(refused.headers["www-authenticate"]).toBe("Bearer");
});

test("the latest connection of a device is the one, whichever process holds it", async () => {
  const paired = await pairDevice(owner, { name: "roams", commands: COMMANDS });
  const first = await connect(owner, paired, COMMANDS);
  const second = await connect(owner, paired, COMMANDS, await apiBeside());
  expect(await first.closed).toMatchObject({
    code: 1008,
    reason: expect.stringContaining("another connection"),
  });
  const asked = { action: "invoke", device: "roams", command: "echo", arguments: { at: "beside" } };
  expect((await nodes(owner, asked)).body.data.result.value).toEqual({ at: "beside" });
  expect(second.heard).toHaveLength(1);
  const third = await connect(owner, paired, COMMANDS);
  await second.closed;
  expect((await nodes(owner, asked)).body.data.result.value).toEqual({ at: "beside" });
  expect(third.heard).toHaveLength(1);
  await owner.delete(`${DEVICES}/${paired.id}`);
});

test("a device of an agent's or a user's is nobody else's", async () => {
  const { one, two } = tenant;
  await settings({ tools: { nodes: "preApproved" } });
  const mine = await pairDevice(owner, { name: "agents", agentId: "one" });
  const hers = await pairDevice(owner, { name: "anns", userId: "ann" });
  const seen = async (client: Client, context: object = {}) => {
    const { result } = (await nodes(client, { action: "list" }, { context })).body.data;
    return result.devices.map(({ name }: { name: string }) => name).filter((name: string) => /s$/.test(name));
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
    { permissions: ["network"] },
  );
  const { data } = (await owner.post("/api/v1/custom-tools/tells_device/execute", { arguments: {} })).body;
  expect(data.result.value).toEqual({ said: "it is [REDACTED]" });
  expect(device.heard.at(-1)?.arguments).toEqual({ said: "it is [REDACTED]" });
  await createTool(
    owner,
    "no_network",
    `return utils.callTool("nodes", { action: "list" }).catch(({ code }) => code);`,
  );
  const denied = await owner.post("/api/v1/custom-tools/no_network/execute", { arguments: {} });
  expect(denied.body.data.result).toBe("tool_not_allowed");
});

test("the audit log has who paired what, and each invocation without its arguments", async () => {
  const { owner: watched } = await newTenant(product);
  const paired = await pairDevice(watched, { name: "seen", commands: COMMANDS });
  const connected = await connect(watched, paired, COMMANDS);
  const args = { action: "invoke", device: "seen", command: "echo", arguments: { word: "hush-hush" } };
  const { executionId } = (await nodes(watched, args)).body.data;
  connected.say({ type: "hello", commands: offered({ echo: COMMANDS["echo"]! }) });
  await until(async () => (await watched.get(`${DEVICES}/${paired.id}`)).body.data.commands.length === 1, {
    what: "the device's new commands",
  });
  await watched.delete(`${DEVICES}/${paired.id}`);
  const { entries } = (await watched.get("/api/v1/audit")).body.data;
  const told = entries.filter(({ action }: { action: string }) => action.startsWith("device."));
  expect(told.map(({ action }: { action: string }) => action)).toEqual([
    "device.removed",
    "device.changed",
    "device.command_invoked",
    "device.paired",
    "device.code_made",
  ]);
  expect(told[2].details).toEqual({ command: "echo", executionId, tool: "nodes", outcome: "succeeded" });
  expect(JSON.stringify(entries)).not.toContain("hush-hush");
});

test("a tenant has as many devices and open codes as it may; a code that found no room stays good", async () => {
  const { owner: few } = await newTenant(product, { maxDevices: 1 });
  const { id } = await pairDevice(few);
  const { code } = (await few.post(CODES, {})).body.data;
  const asked = { code, name: "second", commands: [] };
  const refused = await pairBy(few.url, asked);
  expect([refused.status, refused.body.code]).toEqual([409, "device.too_many"]);
  await few.delete(`${DEVICES}/${id}`);
  expect((await pairBy(few.url, asked)).status).toBe(201);
  const made = await Promise.all(Array.from({ length: 21 }, () => few.post(CODES, {})));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(made.find(({ status }) => status !== 201)?.body.code).toBe("device.too_many_codes");
});

test("the web socket takes devices alone: no page, no key, no other protocol", async () => {
  const bearer = { authorization: `Bearer ${laptop.token}` };
  const page = await upgrade(owner.url, { ...bearer, origin: owner.url });
  expect([page.status, page.body.code]).toEqual([403, "device.from_page"]);
  for (const headers of [
    {},
    { authorization: `Bearer ${owner.key}` },
    { authorization: `Bearer bhd_${"a".repeat(43)}` },
  ]) {
    const { status, body } = await upgrade(owner.url, headers);
    expect([status, body.code]).toEqual([401, "device.token_invalid"]);
  }
  expect((await owner.get(`${DEVICES}/connect`)).body.code).toBe("device.upgrade_required");
  expect((await upgrade(owner.url, { ...bearer, upgrade: "h2c" })).status).toBe(426);
});

test.each([
  ["no JSON", "{", 1008],
  ["another type", { type: "shout" }, 1008],
  ["a hello that is none", { type: "hello", commands: [{ name: "a b" }] }, 1008],
  ["more than a message may have", "x".repeat(1_024 * 1_024 + 1), 1009],
])("a device that sends %s is disconnected", async (_what, frame, code) => {
  const paired = await pairDevice(owner, { name: "odd" });
  const odd = await connect(owner, paired);
  odd.say(frame);
  expect(await odd.closed).toMatchObject({ code });
  await owner.delete(`${DEVICES}/${paired.id}`);
});

test("a device that floods is disconnected", async () => {
  const paired = await pairDevice(owner, { name: "flood" });
  const flood = await connect(owner, paired);
  for (let n = 0; n < 2_000; n += 1) flood.say({ type: "progress", id: "i1", message: "" });
  expect(await flood.closed).toMatchObject({ code: 1008, reason: "too many messages" });
  await owner.delete(`${DEVICES}/${paired.id}`);
});
