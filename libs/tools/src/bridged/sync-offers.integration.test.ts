import {
  APPROVAL_SETTINGS_DEFAULT,
  newTenantId,
  newToolId,
  RUN_LIMITS_DEFAULT,
  scopeOfAgent,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type AuditDeed,
  type McpOffer,
  type McpServerTools,
  type NewTool,
  type TenantNews,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/core";
import { openDatabase, type Database } from "@bulkhead/postgres";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteTool, moveTool } from "../registry/change-status.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { decideVersion } from "../registry/review/decide-version.ts";
import { updateTool } from "../registry/update-tool.ts";
import { restoreVersion } from "../versions/restore-version.ts";
import { offerOf, PLAIN_COVER, serverOf } from "./fixtures/servers.ts";
import { changedReason, GONE, rejectedReason } from "./plan-sync.ts";
import { openMcpServerTools } from "./server-tools.ts";
import { openMcpRegistry, type SyncDeps } from "./sync-offers.ts";

leakCheck();
let testDatabase: TestDatabase;
let database: Database;
let tenantId: string;
let owner: TenantPrincipal;
let deeds: AuditDeed[];
let news: TenantNews[];
let leftOut: string[];
let deps: ToolDeps & SyncDeps;
let people: McpServerTools;

beforeAll(async () => {
  testDatabase = await openTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolMax: 8 });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.close();
});

const nothing = () => Promise.resolve();

beforeEach(async () => {
  tenantId = newTenantId();
  await database.tenants.create({
    id: tenantId,
    slug: tenantId.replace("_", "-"),
    name: "A tenant",
    limits: TENANT_LIMITS_DEFAULT,
    settings: TENANT_SETTINGS_DEFAULT,
    createdAt: new Date(),
  });
  await database.mcpServers.create(serverOf({ tenantId }));
  [deeds, news, leftOut] = [[], [], []];
  owner = {
    role: "owner",
    keyId: "key_0000000000000001",
    tenantId,
    agentId: null,
    limits: TENANT_LIMITS_DEFAULT,
    limitsAsOf: new Date(),
    approval: APPROVAL_SETTINGS_DEFAULT,
  };
  deps = {
    tools: database.tools,
    mcpTools: database.mcpTools,
    servers: database.mcpServers,
    // A schema that says so is none.
    schemas: {
      checkSchema: async (_tenantId, schema, place) => ({
        faults: schema["bad"] === true ? [{ path: place, message: "is bad" }] : [],
        warnings: [],
      }),
    },
    stripper: { strip: (_tenantId, code) => Promise.resolve({ ok: true, code }) },
    bus: { publish: nothing },
    tenantEvents: {
      publish: (_tenantId, one) => {
        news.push(one);
        return Promise.resolve();
      },
    },
    audit: {
      record: (_by, _tenantId, ...more) => {
        deeds.push(...more);
        return Promise.resolve();
      },
    },
    toolServices: {
      register: nothing,
      release: nothing,
      unconfigured: async (_tenantId, tools) => tools.map(() => []),
      revealed: async () => [],
    },
    rehearse: nothing,
    clock: () => new Date(),
    cover: () => Promise.resolve(PLAIN_COVER),
    leftOut: (_server, tool, why) => void leftOut.push(`${tool}: ${why}`),
  } as ToolDeps & SyncDeps;
  people = openMcpServerTools(deps);
});

const offered = (...offers: McpOffer[]) => openMcpRegistry(deps).offered({ tenantId, name: "files" }, offers);
const READ = offerOf("read", { annotations: { readOnlyHint: true } });
const OTHER = offerOf("read", { description: "Deletes everything.", inputSchema: { type: "object" } });

async function toolOf(name: string): Promise<Tool> {
  const tool = await database.tools.find(tenantId, `mcp__files__${name}`, scopeOfAgent(null));
  if (tool === null) throw new Error(`there is no tool ${name}`);
  return tool;
}
const stateOf = async (name: string) => {
  const { status, statusReason, version, pendingVersion } = await toolOf(name);
  return { status, statusReason, version, pendingVersion };
};
const ACTIVE = { status: "active", statusReason: null, version: 1, pendingVersion: null };
const CHANGED = { ...ACTIVE, status: "disabled", statusReason: changedReason(2), pendingVersion: 2 };

test("the first tools of a server are active, as their server describes them", async () => {
  await offered(READ, offerOf("getIssue", { title: "An issue", outputSchema: { type: "object" } }));
  expect(await toolOf("read")).toMatchObject({
    mcp: { server: "files", tool: "read" },
    status: "active",
    description: "Does read.",
    requiresApproval: false,
    idempotent: true,
    createdBy: "user",
    permissions: ["network"],
    allowedHosts: ["mcp.example.com:8443"],
    limits: { wallMs: 20_000 },
  });
  const issue = await toolOf("getIssue");
  expect(issue).toMatchObject({
    name: "mcp__files__get_issue",
    alias: "mcp__files__getIssue",
    title: "An issue",
    requiresApproval: true,
    outputSchema: { type: "object" },
    pinned: { server: "files", tool: "getIssue", description: "Does getIssue." },
  });
  expect(deeds.map(({ action }) => action)).toEqual(["tool.created", "tool.created"]);
  expect(news).toMatchObject([{ type: "tool.created", data: { by: "platform" } }, {}]);
});

test("the same again changes nothing and tells nobody", async () => {
  await offered(READ);
  const { revision } = await toolOf("read");
  deeds = [];
  await offered(READ);
  expect({ revision: (await toolOf("read")).revision, deeds }).toEqual({ revision, deeds: [] });
});

test("a tool that comes later waits for a person, and goes with its offer while nobody has approved it", async () => {
  await offered(READ);
  await offered(READ, offerOf("write"));
  expect(await stateOf("write")).toMatchObject({ status: "pending_approval" });
  expect(await people.list(tenantId, "files")).toMatchObject([
    { tool: "read", standing: "active", waiting: null },
    { tool: "write", standing: "new", waiting: { version: 1, description: "Does write." } },
  ]);
  await offered(READ);
  await expect(toolOf("write")).rejects.toThrow();
  expect(deeds.at(-1)).toMatchObject({ action: "tool.deleted", name: "mcp__files__write" });
});

describe("a changed tool", () => {
  beforeEach(async () => {
    await offered(READ);
    deeds = [];
    news = [];
    await offered(OTHER);
  });

  test("is disabled with the reason, and what is offered now waits beside what was approved", async () => {
    expect(await toolOf("read")).toMatchObject({
      ...CHANGED,
      description: "Does read.",
      requiresApproval: false,
    });
    expect(await people.list(tenantId, "files")).toMatchObject([
      {
        standing: "changed",
        reason: changedReason(2),
        waiting: { version: 2, description: "Deletes everything." },
      },
    ]);
    expect(deeds.map(({ action }) => action)).toEqual(["tool.version_proposed", "tool.disabled"]);
    expect(news.map(({ type }) => type)).toEqual(["tool.version_proposed", "tool.disabled"]);
    const { id } = await toolOf("read");
    expect(await database.tools.findReview(tenantId, id, 2)).toMatchObject({
      state: "pending",
      proposedBy: null,
    });
  });

  test("is active again as it was, once its server offers that", async () => {
    await offered(READ);
    expect(await stateOf("read")).toEqual(ACTIVE);
    const { id } = await toolOf("read");
    expect(await database.tools.findVersion(tenantId, id, 2)).toMatchObject({ state: "superseded" });
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...CHANGED, statusReason: changedReason(3), pendingVersion: 3 });
  });

  test("that a person approves is what its server offers now", async () => {
    expect(await people.approve(owner, "files", "read")).toMatchObject({ standing: "active", version: 2 });
    expect(await toolOf("read")).toMatchObject({
      ...ACTIVE,
      version: 2,
      description: "Deletes everything.",
      annotations: null,
      requiresApproval: true,
      idempotent: false,
      retry: null,
    });
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...ACTIVE, version: 2 });
  });

  test("that changes twice is approved only by its number", async () => {
    await offered(offerOf("read", { description: "A third." }));
    await expect(people.approve(owner, "files", "read")).rejects.toMatchObject({ code: "tool.changed" });
    expect(await people.approve(owner, "files", "read", 3)).toMatchObject({
      version: 3,
      description: "A third.",
    });
  });

  test("that a person rejects stays away, until the person thinks again", async () => {
    await people.block(owner, "files", "read");
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled" });
    await offered(READ);
    expect(await people.list(tenantId, "files")).toMatchObject([{ standing: "blocked" }]);
    expect(await people.approve(owner, "files", "read")).toMatchObject({ standing: "active", version: 1 });
  });

  test("that was rejected by its version says so, and is not proposed again", async () => {
    const { id } = await toolOf("read");
    await expect(moveTool(deps, owner, id, "enable")).rejects.toMatchObject({ code: "tool.bridged" });
    await decideVersion(deps, owner, id, { to: "rejected", version: 2, seen: null });
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled", statusReason: rejectedReason(2) });
    expect(await people.approve(owner, "files", "read")).toMatchObject({
      standing: "active",
      version: 3,
      description: "Deletes everything.",
    });
  });
});

test("a tool that is gone is disabled, and active again when it is back", async () => {
  await offered(READ, offerOf("write"));
  await offered(READ);
  expect(await stateOf("write")).toEqual({ ...ACTIVE, status: "disabled", statusReason: GONE });
  expect(await people.list(tenantId, "files")).toMatchObject([{}, { standing: "gone" }]);
  await expect(people.approve(owner, "files", "write")).rejects.toMatchObject({ code: "tool.bridged" });
  await offered(READ, offerOf("write"));
  expect(await stateOf("write")).toEqual(ACTIVE);
});

test("a tool that a person has blocked stays blocked, whatever is offered", async () => {
  await offered(READ);
  await people.block(owner, "files", "read");
  for (const offer of [[OTHER], [], [READ]]) await offered(...offer);
  expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled" });
});

test("what its tenant says of the server holds at once for its tools", async () => {
  await offered(READ);
  await database.mcpServers.update({ tenantId, name: "files" }, { timeoutMs: 1_000 });
  await offered(READ);
  expect(await toolOf("read")).toMatchObject({ ...ACTIVE, version: 2, limits: { wallMs: 1_000 } });
});

test("what can't be taken is left out with the reason, and the rest is taken", async () => {
  await offered(READ, offerOf("bad", { inputSchema: { bad: true } }), offerOf("a\u0000b"), READ);
  expect((await people.list(tenantId, "files")).map(({ tool }) => tool)).toEqual(["read"]);
  expect(leftOut).toEqual([
    "a\u0000b: its name has characters that nobody sees",
    expect.stringMatching(/^bad: parameters: is bad/),
  ]);
  await offered(offerOf("read", { inputSchema: { bad: true } }));
  expect((await stateOf("read")).statusReason).toMatch(/can't be taken: parameters: is bad/);
});

const plainTool = (name: string): NewTool => ({
  id: newToolId(),
  tenantId,
  agentId: null,
  name,
  alias: null,
  title: null,
  annotations: null,
  description: "Another one.",
  category: null,
  status: "active",
  review: null,
  approved: null,
  requiresApproval: false,
  approval: null,
  createdBy: "user",
  metadata: null,
  requiredApiKeys: [],
  requiredConfigServices: [],
  createdAt: new Date(),
  code: "return 1",
  language: "javascript",
  compiled: null,
  outputSchema: null,
  parameters: { type: "object" },
  permissions: [],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
  idempotent: false,
  applyDefaults: null,
  retry: null,
  dispatch: null,
  retention: null,
});

test("a name that the tenant has given to another tool stays that one's", async () => {
  await database.tools.create(plainTool("mcp__files__read"));
  await offered(READ);
  const [known] = await people.list(tenantId, "files");
  expect(known?.name).toMatch(/^mcp__files__read_[0-9a-f]{8}$/);
  expect((await toolOf("read")).mcp).toBeNull();
});

test("many at once are taken once, with other syncs beside them", async () => {
  const many = Array.from({ length: 500 }, (_, n) => offerOf(`tool${n}`));
  await Promise.all([offered(...many), offered(...many), offered(...many)]);
  const known = await database.mcpTools.ofServer({ tenantId, name: "files" });
  expect(known).toHaveLength(500);
  expect(known.every(({ tool }) => tool.status === "active")).toBe(true);
  expect(deeds).toHaveLength(500);
  const changed = many.map((offer) => ({ ...offer, description: "Other." }));
  await Promise.all([offered(...changed), offered(...changed)]);
  const after = await database.mcpTools.ofServer({ tenantId, name: "files" });
  expect(after.every(({ newest }) => newest.version === 2 && newest.state === "pending")).toBe(true);
});

test("with their server its tools go, and no sync brings them back", async () => {
  await offered(READ);
  await database.mcpServers.delete({ tenantId, name: "files" });
  await offered(READ);
  expect(await database.mcpTools.ofServer({ tenantId, name: "files" })).toEqual([]);
  const record = await database.tools.findNameRecord(tenantId, null, "mcp__files__read");
  expect(record).toMatchObject({ capabilities: { permissions: [] }, blocked: false });
});

describe("of a server's tool", () => {
  test("its tenant says what is its own, and nothing that its server says", async () => {
    await offered(READ);
    const { id } = await toolOf("read");
    await updateTool(deps, owner, id, { alias: "look", approval: "blocked", category: "files" });
    expect(await toolOf("read")).toMatchObject({ alias: "look", approval: "blocked", category: "files" });
    await updateTool(deps, owner, id, { description: "Does read." });
    for (const change of [{ description: "Mine." }, { code: "return 1" }, { name: "mine" }, { limits: {} }])
      await expect(updateTool(deps, owner, id, change)).rejects.toMatchObject({
        code: "tool.bridged",
        errors: [{ path: Object.keys(change)[0] }],
      });
    await expect(restoreVersion(deps, owner, id, 1)).rejects.toMatchObject({ code: "tool.bridged" });
  });

  test("nothing is deleted by itself but what was rejected, which waits anew", async () => {
    await offered(READ);
    await offered(READ, offerOf("write"));
    await expect(deleteTool(deps, owner, (await toolOf("read")).id)).rejects.toMatchObject({
      code: "tool.bridged",
    });
    expect(await people.block(owner, "files", "write")).toMatchObject({ standing: "blocked" });
    await offered(READ, offerOf("write"));
    await expect(people.approve(owner, "files", "write")).rejects.toMatchObject({ code: "tool.bridged" });
    await deleteTool(deps, owner, (await toolOf("write")).id);
    await offered(READ, offerOf("write"));
    expect(await stateOf("write")).toMatchObject({ status: "pending_approval" });
  });
});
