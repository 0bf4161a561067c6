import { queryRows, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant, type Answer } from "../support/client.ts";

const AUDIT = "/api/v1/audit";
const TOOLS = "/api/v1/custom-tools";
const HASH = /^[0-9a-f]{64}$/;

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let developer: Client;
let agent: Client;
let admin: Client;

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  const asRole = (role: string) => newClient(product, tenantId, role);
  [developer, agent] = await Promise.all([asRole("developer"), asRole("agent")]);
  admin = new Client(product.url, product.adminKey);
});

const requestIdOf = ({ body }: Answer): string => body.meta.requestId;

async function entriesOf(query: Record<string, string> = {}, client = owner): Promise<Answer["body"][]> {
  const { status, body } = await client.get(`${AUDIT}?${new URLSearchParams(query).toString()}`);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data.entries;
}

/** The only entry of what this answer was given to. */
async function entryOf(answer: Answer, action: string): Promise<Answer["body"]> {
  expect(answer.body).toMatchObject({ success: true });
  const found = (await entriesOf({ limit: "200" })).filter(
    ({ requestId }) => requestId === requestIdOf(answer),
  );
  expect(found.map((one) => one.action)).toEqual([action]);
  return found[0];
}

test("[R29] each change of a tool is there: who, what, which content before and after, and in which request", async () => {
  product.showLogsIfTestFails();
  const made = await developer.post(TOOLS, {
    name: "greet",
    description: "Greets.",
    parameters: { type: "object", properties: {} },
    code: "return 'hello';",
  });
  const created = await entryOf(made, "tool.created");
  const { id } = made.body.data;
  expect(created).toMatchObject({
    id: expect.stringMatching(/^aud_[0-9a-f]{16}$/),
    actor: { role: "developer", keyId: expect.stringMatching(/^key_/) },
    subject: { type: "tool", id, name: "greet" },
    afterHash: expect.stringMatching(HASH),
    details: { version: 1, status: "active", createdBy: "user" },
  });
  expect(created).not.toHaveProperty("beforeHash");

  const updated = await entryOf(await owner.patch(`${TOOLS}/greet`, { code: "return 2;" }), "tool.updated");
  expect(updated).toMatchObject({
    actor: { role: "owner" },
    beforeHash: created.afterHash,
    details: { version: 2, versionBefore: 1, fields: ["code"] },
  });
  expect(updated.afterHash).not.toBe(updated.beforeHash);
  const restored = await entryOf(await owner.post(`${TOOLS}/greet/versions/1/restore`), "tool.restored");
  expect(restored).toMatchObject({ beforeHash: updated.afterHash, afterHash: created.afterHash });
  expect(restored.details).toMatchObject({ version: 3, restoredVersion: 1 });

  await entryOf(await developer.post(`${TOOLS}/greet/disable`), "tool.disabled");
  await entryOf(await developer.post(`${TOOLS}/greet/enable`), "tool.enabled");
  const deleted = await entryOf(await owner.delete(`${TOOLS}/greet`), "tool.deleted");
  expect(deleted).toMatchObject({ beforeHash: created.afterHash, subject: { id, name: "greet" } });
  expect(deleted).not.toHaveProperty("afterHash");
  const life = await entriesOf({ subjectId: id });
  expect(life.map(({ action }) => action.slice("tool.".length))).toEqual(
    ["created", "updated", "restored", "disabled", "enabled", "deleted"].toReversed(),
  );
});

test("approving and rejecting a model's tool bind to the content that was looked at", async () => {
  for (const [move, action] of [
    ["approve", "tool.approved"],
    ["reject", "tool.rejected"],
  ] as const) {
    const { id } = await createTool(owner, `wants_${move}`, "return 1;", {
      createdBy: "llm",
      permissions: ["shell"],
    });
    const [created] = await entriesOf({ subjectId: id });
    expect(created.details).toMatchObject({ status: "pending_approval", createdBy: "llm" });
    const decided = await entryOf(await owner.post(`${TOOLS}/${id}/${move}`), action);
    expect([decided.beforeHash, decided.afterHash]).toEqual([created.afterHash, created.afterHash]);
  }
});

test("[R1] tenants, keys and settings: the administrator's changes stand in the tenant's log as the administrator's", async () => {
  const [tenant] = await entriesOf({ action: "tenant.created" });
  expect(tenant).toMatchObject({
    actor: { role: "admin", keyId: "admin" },
    subject: { type: "tenant", id: tenantId },
  });
  const limits = await admin.patch(`/api/v1/tenants/${tenantId}`, { name: "New", limits: { weight: 2 } });
  expect((await entryOf(limits, "tenant.updated")).details.fields).toEqual(["limits.weight", "name"]);
  const change = { timeoutMs: 90_000, metaTools: "preApproved" };
  const settings = await owner.patch("/api/v1/tenant/settings", { approval: change });
  expect(await entryOf(settings, "tenant.settings_updated")).toMatchObject({
    actor: { role: "owner" },
    details: { fields: ["approval.metaTools", "approval.timeoutMs"] },
  });
  const keys = `/api/v1/tenants/${tenantId}/api-keys`;
  const key = await admin.post(keys, { name: "bot", role: "agent", agentId: "helper" });
  const keyId = key.body.data.id;
  expect(await entryOf(key, "api_key.created")).toMatchObject({
    subject: { type: "api_key", id: keyId, name: "bot" },
    details: { role: "agent", agentId: "helper" },
  });
  const bot = new Client(product.url, key.body.data.key);
  const made = await bot.post("/api/v1/meta-tools/create_tool", {
    name: "by_bot",
    description: "Made by a model.",
    parameters: JSON.stringify({ type: "object", properties: {} }),
    code: "return 1;",
  });
  expect(made.status).toBeLessThan(300);
  const [byBot] = (await entriesOf({ keyId })).filter(({ action }) => action === "tool.created");
  expect(byBot.subject.name).toBe("by_bot");
  expect(byBot.actor).toEqual({ role: "agent", keyId, agentId: "helper" });
  expect(await entryOf(await owner.delete(`${keys}/${keyId}`), "api_key.deleted")).toMatchObject({
    subject: { id: keyId, name: "bot" },
  });
});

test("answers to calls that wait are there, without what the calls were about", async () => {
  await createTool(owner, "shell", "return args.command;", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
  const ask = async () => {
    const body = { arguments: { command: "hush-hush" }, mode: "async" };
    return (await agent.post(`${TOOLS}/shell/execute`, body)).body.data;
  };
  const once = await ask();
  const allowed = await owner.post(`${once.links.approval}/allow-once`);
  expect(await entryOf(allowed, "approval.allowed_once")).toMatchObject({
    subject: { type: "approval", name: "shell" },
    details: { executionId: once.executionId, toolVersion: 1, requestedBy: expect.stringMatching(/^key_/) },
  });
  await entryOf(await owner.post(`${(await ask()).links.approval}/deny`), "approval.denied");
  const said = { argument: "/command", pattern: "hush*" };
  const always = await owner.post(`${(await ask()).links.approval}/allow-always`, said);
  const entry = await entryOf(always, "approval.allowed_always");
  expect(entry.details).toMatchObject({ pattern: true, argument: "/command" });
  const [standing] = (await owner.get("/api/v1/approvals/standing")).body.data.standing;
  const revoked = await owner.delete(`/api/v1/approvals/standing/${standing.id}`);
  expect((await entryOf(revoked, "approval.standing_revoked")).subject).toMatchObject({ id: standing.id });
});

test("schedules, executions and the webhook's secret are there", async () => {
  await createTool(owner, "ticks", "return 1;");
  await createTool(owner, "sleeps", "await new Promise((done) => setTimeout(done, 20_000));");
  const schedule = await owner.post("/api/v1/schedules", {
    name: "hourly",
    tool: "ticks",
    everyMs: 3_600_000,
  });
  const created = await entryOf(schedule, "schedule.created");
  expect(created).toMatchObject({ subject: { name: "hourly" }, details: { toolName: "ticks" } });
  const path = `/api/v1/schedules/${created.subject.id}`;
  const changed = await owner.patch(path, { arguments: {}, priority: 1 });
  expect((await entryOf(changed, "schedule.updated")).details.fields).toEqual(["arguments", "priority"]);
  await entryOf(await owner.post(`${path}/pause`), "schedule.paused");
  await entryOf(await owner.post(`${path}/resume`), "schedule.resumed");
  await entryOf(await owner.post(`${path}/run`), "schedule.run");
  await entryOf(await owner.delete(path), "schedule.deleted");

  const { executionId } = (await owner.post(`${TOOLS}/sleeps/execute`, { mode: "async" })).body.data;
  const cancelled = await owner.post(`/api/v1/executions/${executionId}/cancel`);
  expect((await entryOf(cancelled, "execution.cancelled")).subject).toEqual({
    type: "execution",
    id: executionId,
    name: "sleeps",
  });
  const ran = (await owner.post(`${TOOLS}/ticks/execute`)).body.data;
  const replayed = await owner.post(`/api/v1/executions/${ran.executionId}/replay`);
  const replay = await entryOf(replayed, "execution.replayed");
  expect(replay).toMatchObject({
    subject: { id: ran.executionId },
    details: { executionId: replayed.body.data.executionId },
  });
  const again = (await owner.post(`${TOOLS}/ticks/execute`)).body.data;
  const many = await owner.post("/api/v1/executions/replay", {
    tool: "ticks",
    status: "succeeded",
    limit: 1,
  });
  expect((await entryOf(many, "execution.replayed")).subject.id).toBe(again.executionId);
  await entryOf(await owner.post("/api/v1/webhook-secret/rotate"), "webhook_secret.rotated");
});

test("[R29] no key, code, argument or secret is in it", async () => {
  const secret = (await owner.get("/api/v1/webhook-secret")).body.data.secret;
  const rows = await queryRows(product.databaseUrl, "SELECT * FROM audit_entries WHERE tenant_id = $1", [
    tenantId,
  ]);
  const all = JSON.stringify(rows);
  expect(rows.length).toBeGreaterThan(20);
  for (const hidden of [secret, owner.key, agent.key, product.adminKey, "return ", "hush"])
    expect(all).not.toContain(hidden);
});

test("a page goes on behind the one before", async () => {
  const all = (await entriesOf({ limit: "200" })).map(({ id }) => id);
  const paged: string[] = [];
  for (let cursor: string | null = "first"; cursor !== null;) {
    const behind: string = cursor === "first" ? "" : `&cursor=${cursor}`;
    const { body } = await owner.get(`${AUDIT}?limit=7${behind}`);
    paged.push(...body.data.entries.map(({ id }: { id: string }) => id));
    cursor = body.data.nextCursor;
  }
  expect(paged).toEqual(all);
  const [newest] = await entriesOf({ limit: "1" });
  expect(await entriesOf({ from: "2999-01-01T00:00:00Z" })).toEqual([]);
  expect(await entriesOf({ to: "2000-01-01T00:00:00Z" })).toEqual([]);
  const near = await entriesOf({ subjectType: newest.subject.type, action: newest.action, limit: "1" });
  expect(near).toEqual([newest]);
});

test("another tenant sees nothing of it, and no agent and administrator looks", async () => {
  const [mine] = await entriesOf({ limit: "1" });
  const other = await newTenant(product);
  const theirs = await entriesOf({}, other.owner);
  expect(theirs.map(({ action }) => action)).toEqual(["api_key.created", "tenant.created"]);
  expect(await entriesOf({ subjectId: mine.subject.id }, other.owner)).toEqual([]);
  expect(await entriesOf({ cursor: mine.id }, other.owner)).toEqual([]);
  const viewer = await newClient(product, tenantId, "viewer");
  for (const reader of [developer, viewer])
    expect((await entriesOf({ subjectId: mine.subject.id }, reader))[0]).toEqual(mine);
  expect((await agent.get(AUDIT)).body.code).toBe("auth.forbidden");
  expect((await admin.get(AUDIT)).body.code).toBe("tenant.required");
});

test.each([
  ["action=tool.exploded", "action"],
  ["subjectType=planet", "subjectType"],
  ["subjectId=", "subjectId"],
  [`keyId=${"x".repeat(65)}`, "keyId"],
  ["keyId=%00", "keyId"],
  ["from=yesterday", "from"],
  ["from=0000-01-01T00:00:00Z", "from"],
  ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"],
  ["limit=0", "limit"],
  ["limit=201", "limit"],
  ["cursor=aud_1", "cursor"],
  ["cursor=key_0000000000000000", "cursor"],
  ["who=me", "who"],
])("a bad filter is refused by name: %s", async (query, path) => {
  const { status, body } = await owner.get(`${AUDIT}?${query}`);
  expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
});
