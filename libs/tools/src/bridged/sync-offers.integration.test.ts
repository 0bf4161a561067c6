import { Fault, MCP_SERVER_TOOLS_MAX } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import {
  ACTIVE,
  database,
  deeds,
  deps,
  forgetTold,
  leftOut,
  news,
  offered,
  OTHER,
  owner,
  people,
  plainTool,
  READ,
  registered,
  stateOf,
  switched,
  tenantId,
  toolOf,
  useBridgedRegistry,
} from "./fixtures/bridged-registry.ts";
import { offerOf } from "./fixtures/servers.ts";
import { openMcpRegistry } from "./sync-offers.ts";
import { GONE, RESTLESS, ROUNDS_MAX, ROUNDS_MS } from "./plan-sync.ts";

useBridgedRegistry();

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
  forgetTold();
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

test("a name that the tenant has given to another tool stays that one's", async () => {
  await database.tools.create(plainTool("mcp__files__read"));
  await offered(READ);
  const [known] = await people.list(tenantId, "files");
  expect(known?.name).toMatch(/^mcp__files__read_[0-9a-f]{8}$/);
  expect((await toolOf("read")).mcp).toBeNull();
});

const OFFERS = isNightly ? MCP_SERVER_TOOLS_MAX : 50;

test("many tools of a server, at night all that it may have, are taken at once, and changed at once", async () => {
  const many = Array.from({ length: OFFERS }, (_, n) => offerOf(`tool${n}`));
  await offered(...many);
  const known = await database.mcpTools.ofServer({ tenantId, name: "files" });
  expect(known.filter(({ tool }) => tool.status === "active")).toHaveLength(OFFERS);
  expect(deeds).toHaveLength(OFFERS);
  await offered(...many.map((offer) => ({ ...offer, description: "Other." })));
  const after = await database.mcpTools.ofServer({ tenantId, name: "files" });
  expect(after.every(({ newest }) => newest.version === 2 && newest.state === "pending")).toBe(true);
});

test("what two processes take at the same moment is taken once", async () => {
  const some = Array.from({ length: 20 }, (_, n) => offerOf(`tool${n}`));
  await Promise.all([offered(...some), offered(...some), offered(...some)]);
  const known = await database.mcpTools.ofServer({ tenantId, name: "files" });
  expect(known.filter(({ tool }) => tool.status === "active")).toHaveLength(20);
  expect(deeds).toHaveLength(20);
  const changed = some.map((offer) => ({ ...offer, description: "Other." }));
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

test("what was offered by a server that is no more, or was set up otherwise, is not taken", async () => {
  const first = await database.mcpServers.find({ tenantId, name: "files" });
  await database.mcpServers.delete({ tenantId, name: "files" });
  const second = await registered();
  const registry = openMcpRegistry(deps);
  await registry.offered(first!, [READ]);
  expect(await database.mcpTools.ofServer(second)).toEqual([]);
  await database.mcpServers.update(second, { url: "https://other.example/" });
  await registry.offered(second, [READ]);
  expect(await database.mcpTools.ofServer(second)).toEqual([]);
});

test("tools of a server that goes before they are stored go with it, and the next one's stay", async () => {
  deps.tools = {
    ...database.tools,
    createAll: async (...made) => {
      deps.tools = database.tools;
      await database.mcpServers.delete({ tenantId, name: "files" });
      await registered();
      await offered(offerOf("write"));
      return database.tools.createAll(...made);
    },
  };
  await offered(READ);
  const left = await database.mcpTools.ofServer({ tenantId, name: "files" });
  expect(left.map(({ tool }) => tool.mcp?.tool)).toEqual(["write"]);
});

test("a sync that overlaps with disabling the server brings no tool back", async () => {
  await offered(READ);
  await offered();
  deps.tools = {
    ...database.tools,
    createAll: async (...made) => {
      deps.tools = database.tools;
      await switched(false);
      return database.tools.createAll(...made);
    },
  };
  await offered(READ);
  expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled", statusReason: GONE });
});

test("a server that flips between two lists is not followed without end, and a person's word is", async () => {
  await offered(READ);
  let now = new Date();
  const registry = openMcpRegistry({ ...deps, clock: () => now });
  const server = (await database.mcpServers.find({ tenantId, name: "files" }))!;
  forgetTold();
  for (let n = 0; n < 2 * ROUNDS_MAX + 20; n += 1)
    await registry.offered(server, n % 2 === 0 ? [offerOf("write")] : [READ]);
  expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled", statusReason: RESTLESS });
  expect(deeds.length).toBeLessThan(4 * ROUNDS_MAX);
  const { length } = deeds;
  for (const offers of [[OTHER], [READ], [], [READ]]) await registry.offered(server, offers);
  expect(deeds.length).toBe(length);

  expect(await people.approve(owner, "files", "read")).toMatchObject({ standing: "active", version: 1 });
  await registry.offered(server, [READ]);
  expect(await stateOf("read")).toEqual(ACTIVE);
  await registry.offered(server, []);
  now = new Date(now.getTime() + ROUNDS_MS);
  await registry.offered(server, [READ]);
  expect(await stateOf("read")).toEqual(ACTIVE);
});

test.runIf(isNightly)("a look that others' changes make try again counts once", async () => {
  await offered(READ);
  const server = (await database.mcpServers.find({ tenantId, name: "files" }))!;
  let losing = 0;
  const tools = {
    ...database.tools,
    createAll: (...made: Parameters<typeof database.tools.createAll>) =>
      losing-- > 0 ? Promise.reject(new Fault("tool.changed")) : database.tools.createAll(...made),
  };
  const registry = openMcpRegistry({ ...deps, tools });
  for (let n = 0; n < ROUNDS_MAX; n += 1) {
    losing = 2 * (n % 2);
    await registry.offered(server, n % 2 === 0 ? [] : [READ]);
  }
  expect(await stateOf("read")).toEqual(ACTIVE);
});
