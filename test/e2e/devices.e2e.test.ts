import { apiBeside, sharedProduct, until } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { newClient, newTenant, type Client } from "../support/client.ts";
import {
  COMMANDS,
  DEVICES,
  offered,
  pairBy,
  pairDevice,
  ScriptedDevice,
  upgrade,
} from "../support/scripted-device.ts";

const product = await sharedProduct();
const CODES = `${DEVICES}/pairing-codes`;
const NODES = "/api/v1/custom-tools/nodes/execute";

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
const nodes = (client: Client, args: object) => client.post(NODES, { arguments: args });

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
  // Lists are small, whatever a device offers: only the record has its commands whole.
  expect(online[0]).toMatchObject({ commandNames: Object.keys(COMMANDS) });
  expect(online[0]).not.toHaveProperty("commands");
  expect((await owner.get(`${DEVICES}/${laptop.id}`)).body.data.commands).toEqual(offered(COMMANDS));
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
