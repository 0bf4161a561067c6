import { apiBeside, sharedProduct, until, type SseEvent, type SseReader } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";
import {
  closeWatchedEvents,
  takeEvents,
  TENANT_EVENTS as PATH,
  watchEvents as watch,
} from "../support/tenant-events.ts";

const TOOLS = "/api/v1/custom-tools";
/** What one tenant may have open in one API process. */
const STREAMS_MAX = 100;

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
closeWatchedEvents();

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
});

const asRole = (role: string, id = tenantId) => newClient(product, id, role);
const said = ({ event, data }: SseEvent) => `${event} ${String(data["toolName"])}`;

test("every change of a tool shows on the stream, with what it became and whose key made it", async () => {
  product.showLogsIfTestFails();
  const reader = await watch(owner);
  const { id } = await createTool(owner, "told", "return 1;");
  await owner.patch(`${TOOLS}/told`, { code: "return 2;" });
  await owner.post(`${TOOLS}/told/disable`);
  await owner.post(`${TOOLS}/told/disable`);
  await owner.post(`${TOOLS}/told/enable`);
  await owner.delete(`${TOOLS}/told`);
  for (const name of ["wanted", "unwanted"])
    await createTool(owner, name, "return 1;", { createdBy: "llm", permissions: ["shell"] });
  await owner.post(`${TOOLS}/wanted/approve`);
  await owner.post(`${TOOLS}/unwanted/reject`);

  const events = await takeEvents(reader, 9);
  expect(events.map((event) => `${said(event)} ${String(event.data["status"])}`)).toEqual([
    "tool.created told active",
    "tool.updated told active",
    "tool.disabled told disabled",
    "tool.enabled told active",
    "tool.deleted told active",
    "tool.created wanted pending_approval",
    "tool.created unwanted pending_approval",
    "tool.approved wanted active",
    "tool.rejected unwanted rejected",
  ]);
  expect(events.map(({ data }) => data["toolVersion"])).toEqual([1, 2, 2, 2, 2, 1, 1, 1, 1]);
  const keys = (await new Client(product.url, product.adminKey).get(`/api/v1/tenants/${tenantId}/api-keys`))
    .body;
  expect(events[0]?.data).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    toolId: id,
    toolName: "told",
    toolVersion: 1,
    status: "active",
    by: keys.data.apiKeys[0].id,
  });
});

test("what people set up is told to who asks for it, under the audit log's names, and never to an agent", async () => {
  const { id: ownId, owner: own } = await newTenant(product);
  await createTool(own, "works", "return 1;");
  const types =
    "schedule.created,schedule.paused,config_service.created,config_entry.created,mcp_server.created,policy.updated,api_key.created,tool.created";
  const reader = await watch(own, undefined, types);
  const silent = await watch(own);
  const agents = await watch(await newClient(product, ownId, "agent"), undefined, types);
  const schedule = (
    await own.post("/api/v1/schedules", { tool: "works", everyMs: 3_600_000, name: "Hourly" })
  ).body.data;
  await own.post(`/api/v1/schedules/${schedule.id}/pause`);
  await own.post("/api/v1/config-services", { name: "mail" });
  await own.post("/api/v1/config-services/mail/entries", { data: { api_key: "sk_live_0123456789abcdWXYZ" } });
  const url = "https://mcp.example/mcp";
  await own.post("/api/v1/mcp-servers", { name: "files", transport: "streamable-http", url });
  const policy = JSON.stringify({ deny: ["works"] });
  await own.raw("PUT", "/api/v1/policy", policy, { "content-type": "application/json" });
  await createTool(own, "last", "return 1;");
  const events = await takeEvents(reader, 8);
  expect(events.map(({ event, data }) => `${event} ${String(data["name"] ?? data["id"])}`)).toEqual([
    expect.stringMatching(/^api_key\.created /),
    "schedule.created Hourly",
    "schedule.paused Hourly",
    "config_service.created mail",
    "config_entry.created default",
    "mcp_server.created files",
    `policy.updated ${ownId}`,
    "tool.created undefined",
  ]);
  expect(events[1]?.data).toEqual({
    at: expect.any(String),
    id: schedule.id,
    name: "Hourly",
    by: schedule.createdBy,
  });
  for (const other of [silent, agents])
    expect((await takeEvents(other, 1)).map(({ event }) => event)).toEqual(["tool.created"]);
});

test("[R27] a stream cut after every event and resumed loses and repeats nothing", async () => {
  const whole = await watch(owner);
  const cut = await watch(owner);
  const names = Array.from({ length: 8 }, (_, n) => `cut_${n}`);
  for (const name of names) await createTool(owner, name, "return 1;");
  const all = await takeEvents(whole, names.length);
  expect(all.map(said)).toEqual(names.map((name) => `tool.created ${name}`));
  const pieces = await takeEvents(cut, 1);
  while (pieces.length < names.length) {
    const resumed = await watch(owner, pieces.at(-1)?.id ?? "");
    pieces.push(...(await takeEvents(resumed, 1)));
    await resumed.close();
  }
  expect(pieces).toEqual(all);
});

test("a reader is told from where to resume before anything has happened", async () => {
  const quiet = await newTenant(product);
  const away = new AbortController();
  const headers = { authorization: `Bearer ${quiet.owner.key}` };
  const response = await fetch(product.url + PATH, { headers, signal: away.signal });
  const body = response.body?.getReader();
  const first = new TextDecoder().decode((await body?.read())?.value);
  away.abort();
  expect(first).toMatch(/^retry: \d+\nid: \d+-\d+\n\n$/);
  await createTool(quiet.owner, "meanwhile", "return 1;");
  const [event] = await takeEvents(
    await watch(quiet.owner, first.slice(first.indexOf("id: ") + "id: ".length).trim()),
    1,
  );
  expect(event && said(event)).toBe("tool.created meanwhile");
});

test("starts and ends of executions are told live to who asks for them, to an agent those of its own calls", async () => {
  const busy = await newTenant(product);
  const keys = `/api/v1/tenants/${busy.id}/api-keys`;
  const asked = { name: "bot", role: "agent", agentId: "bot-1" };
  const bot = (await new Client(product.url, product.adminKey).post(keys, asked)).body.data;
  const tool = await createTool(busy.owner, "watched", 'if (args.fails) throw new Error("secret");');
  const run = async (body: object = {}) =>
    (await busy.owner.post(`${TOOLS}/watched/execute`, body)).body.data.executionId as string;

  const next = async (of: SseReader, executionId: string): Promise<SseEvent> => {
    for (;;) {
      const [event] = await takeEvents(of, 1);
      if (event?.data["executionId"] === executionId) return event;
    }
  };

  const plain = await watch(busy.owner);
  const reader = await watch(busy.owner, undefined, "execution.started,execution.ended&types=tool.disabled");
  const own = await watch(new Client(product.url, bot.key), undefined, "execution.ended");
  // That somebody watches may reach a worker a moment after its next run.
  let isTold = false;
  const first = reader.next().then(() => (isTold = true));
  await until(async () => (await run(), isTold), {
    what: "the worker knows that somebody watches",
  });
  await first;

  const failed = await run({ arguments: { fails: true }, context: { agentId: "another" } });
  const events = [await next(reader, failed), await next(reader, failed)];
  const told = {
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    executionId: failed,
    toolId: tool.id,
    toolName: "watched",
    toolVersion: 1,
    attempt: 1,
    source: "rest",
    keyId: expect.stringMatching(/^key_/),
    agentId: "another",
  };
  const end = { ...told, status: "failed", code: "tool.threw", durationMs: expect.any(Number) };
  expect(events).toEqual([
    { event: "execution.started", id: null, data: told },
    { event: "execution.ended", id: null, data: end },
  ]);

  const mine = await run({ context: { agentId: "bot-1" } });
  expect((await takeEvents(own, 1))[0]?.data).toMatchObject({ executionId: mine, agentId: "bot-1" });
  await next(reader, mine);
  await next(reader, mine);
  await busy.owner.post(`${TOOLS}/watched/disable`);
  const [disabled] = await takeEvents(reader, 1);
  expect(await takeEvents(plain, 1)).toEqual([disabled]);
  expect(disabled && said(disabled)).toBe("tool.disabled watched");
});

test("a type of events that there is not is refused, by its name and with those that there are", async () => {
  const { status, body } = await owner.get(`${PATH}?types=tool.created,tool.sold`);
  expect([status, body.errors[0].path]).toEqual([400, "types.1"]);
  expect(body.errors[0].message).toMatch(
    /^must be one of tool\.created, .*delivery\.tried, not "tool\.sold"$/,
  );
});

test("two tenants don't see each other, not even behind a foreign id", async () => {
  const other = await newTenant(product);
  const ours = await watch(owner);
  const theirs = await watch(other.owner);
  await createTool(owner, "ours_only", "return 1;");
  const [event] = await takeEvents(ours, 1);
  await createTool(other.owner, "theirs_only", "return 1;");
  expect((await takeEvents(theirs, 1)).map(said)).toEqual(["tool.created theirs_only"]);
  const resumed = await takeEvents(await watch(other.owner, "0-0"), 2);
  expect(resumed.map(({ event: type }) => type)).toEqual(["events.gap", "tool.created"]);
  expect(JSON.stringify([event, ...resumed])).not.toContain("ten_");
});

test("every role of a tenant may watch; the platform's administrator is told to use a tenant's key", async () => {
  for (const role of ["developer", "agent", "viewer"]) {
    expect((await watch(await asRole(role))).status).toBe(200);
  }
  const admin = await new Client(product.url, product.adminKey).get(PATH);
  expect(admin.status).toBe(403);
  expect(admin.body.code).toBe("tenant.required");
});

test("a stream ends when its key is revoked", async () => {
  const admin = new Client(product.url, product.adminKey);
  const keys = `/api/v1/tenants/${tenantId}/api-keys`;
  const made = (await admin.post(keys, { name: "leaked", role: "viewer" })).body.data;
  const reader = await watch(new Client(product.url, made.key));
  const other = await watch(owner);
  expect((await admin.delete(`${keys}/${made.id}`)).status).toBe(200);
  expect(await reader.rest()).toEqual([]);
  await createTool(owner, "after_revocation", "return 1;");
  expect((await takeEvents(other, 1)).map(said)).toEqual(["tool.created after_revocation"]);
});

test.each(["yesterday", "1", "1-", "-1-2", "1-2-3", "9".repeat(30) + "-1", "$", "+"])(
  "a Last-Event-ID of %s is refused by name",
  async (id) => {
    const { status, body } = await owner.get(PATH, { "last-event-id": id });
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe("last-event-id");
    const asked = await owner.get(`${PATH}?lastEventId=${encodeURIComponent(id)}`);
    expect([asked.status, asked.body.errors[0].path]).toEqual([400, "lastEventId"]);
  },
);

test("one tenant's streams are bounded, another tenant's are not touched, and a closed one makes room", async () => {
  // All at one API.
  const url = await apiBeside();
  const crowd = new Client(url, (await newTenant(product)).owner.key);
  const readers = await Promise.all(Array.from({ length: STREAMS_MAX }, () => watch(crowd)));
  const refused = await crowd.get(PATH);
  expect(refused.status).toBe(429);
  expect(refused.body.code).toBe("events.too_many_streams");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await watch(new Client(url, owner.key))).status).toBe(200);
  await readers[0]?.close();
  await until(() => watch(crowd), { what: "there is room again" });
});
