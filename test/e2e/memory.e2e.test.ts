import { newAgentTenant } from "../support/agents.ts";
import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let other: Client;

const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;
const ANN = { userId: "ann" };

beforeAll(async () => {
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
});

const call = (client: Client, tool: string, args: object, context: object = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, context });
const run = async (tool: string, args: object, context: object = {}) =>
  (await call(agent, tool, args, context)).body.data;
const search = async (query: string, context: object = {}) =>
  (await run("memory_search", { query }, context)).result;
const over = (client: Client, query: string) => client.get(`/api/v1/memory?${query}`);
const settings = (changed: object) => owner.patch("/api/v1/tenant/settings", changed);
const put = (method: string, path: string, body: string) =>
  fetch(`${product.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
    body,
  });

test("[G13] what an agent writes down is found by its words, whichever door wrote it", async () => {
  product.showLogsIfTestFails();
  const written = "# People\n\nAnna's dog is called Rex.\n";
  await run("write_file", { path: "memory/people.md", content: written }, ANN);
  const found = await run("memory_search", { query: "What is the name of the dog?" }, ANN);
  expect(found.result).toMatchObject({
    results: [{ path: "memory/people.md", startLine: 1, endLine: 3, text: written.trimEnd(), scope: "user" }],
    mode: "hybrid",
    note: null,
    notSearched: { pending: 0, tooLarge: 0, notText: 0 },
    cut: false,
  });
  expect(found.metadata.usage).toMatchObject({ capabilityCalls: 1, networkRequests: 0 });
  const byRest = await put("PUT", "/api/v1/files/MEMORY.md?agentId=one", "The office is in Lisbon.");
  expect(byRest.status).toBe(201);
  expect((await search("Lisbon", ANN)).results).toMatchObject([{ path: "MEMORY.md", scope: "global" }]);
  await owner.post("/api/v1/custom-tools", {
    name: "noter",
    description: "Writes to the memory and looks for it.",
    parameters: { type: "object", properties: {} },
    permissions: ["filesystem"],
    code: `await utils.fs.append("memory/tool.md", "The tool likes herring.");
      return (await utils.callTool("memory_search", { query: "herring" })).results.map(({ path }) => path);`,
  });
  expect((await run("noter", {}, ANN)).result).toEqual(["memory/tool.md"]);
  await run("move_file", { from: "memory/tool.md", to: "tool.md" }, ANN);
  expect((await search("herring", ANN)).results).toEqual([]);
  const read = await run("memory_get", { path: "memory/people.md", startLine: 3 }, ANN);
  expect(read.result).toMatchObject({ text: "Anna's dog is called Rex.\n", startLine: 3, totalLines: 3 });
});

test("the same over REST, for people and for the agent's own key", async () => {
  const { status, body } = await over(owner, "query=dog&agentId=one&userId=ann&limit=1&minScore=0.5");
  expect([status, body.data.results]).toMatchObject([200, [{ path: "memory/people.md" }]]);
  expect((await over(agent, "query=Lisbon")).body.data.results).toMatchObject([{ path: "MEMORY.md" }]);
  expect((await over(agent, "query=dog&agentId=two")).body.errors).toMatchObject([{ path: "agentId" }]);
  expect((await over(owner, "query=Lisbon")).body.data.results).toEqual([]);
});

test.each([
  ["", "query"],
  ["query=", "query"],
  ["query=%20%20", "query"],
  [`query=${"a".repeat(1_001)}`, "query"],
  ["query=a&limit=0", "limit"],
  ["query=a&limit=51", "limit"],
  ["query=a&minScore=2", "minScore"],
  ["query=a&minScore=", "minScore"],
  ["query=a&more=1", "more"],
])("REST refuses %j and names the field", async (query, field) => {
  const { status, body } = await over(owner, query);
  expect([status, body.code]).toEqual([400, "request.invalid"]);
  expect(JSON.stringify(body)).toContain(field);
});

test.each([
  ["memory_search", {}, /required/],
  ["memory_search", { query: "" }, /query/],
  ["memory_search", { query: " \n" }, /query/],
  ["memory_search", { query: "a".repeat(1_001) }, /query/],
  ["memory_search", { query: ["a"] }, /query/],
  ["memory_search", { query: "a", limit: 51 }, /limit/],
  ["memory_search", { query: "a", minScore: -1 }, /minScore/],
  ["memory_search", { query: "a", userId: "bob" }, /additional|unknown|not allowed/i],
  ["memory_get", {}, /required/],
  ["memory_get", { path: "" }, /path/],
  ["memory_get", { path: "MEMORY.md", startLine: 0 }, /startLine/],
])("%s refuses what its schema does not allow: %#", async (tool, args, message) => {
  const { status, body } = await call(agent, tool, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

test.each([
  [{ path: "memory/none.md" }, /no file memory\/none\.md/],
  [{ path: "notes.md" }, /must be MEMORY\.md, memory\.md or within memory\//],
  [{ path: "memory/../notes.md" }, /path/],
  [{ path: "MEMORY.md", startLine: 99 }, /lines/],
])("memory_get of %j fails in words that a model can use", async (args, message) => {
  const { status, error } = await run("memory_get", args);
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  expect(error.message).toMatch(message);
});

test("what is secret is stored and found covered", async () => {
  await run("write_file", { path: "memory/s.md", content: `the falcon token is ${VENDOR_TOKEN}` });
  expect((await search("falcon")).results[0].text).toBe("the falcon token is [REDACTED]");
  // Written by a person, past the covering of runs.
  await put("PUT", "/api/v1/files/memory/p.md?agentId=one", `the osprey token is ${VENDOR_TOKEN}`);
  expect(JSON.stringify(await search("osprey"))).not.toContain(VENDOR_TOKEN);
});

test("two users of an agent, two agents and two tenants find their own", async () => {
  await run("write_file", { path: "memory/mine.md", content: "ann likes pelicans" }, ANN);
  expect((await search("pelicans", ANN)).results).toHaveLength(1);
  expect((await search("pelicans", { userId: "bob" })).results).toEqual([]);
  expect((await search("pelicans")).results).toEqual([]);
  const found = async (client: Client) =>
    (await call(client, "memory_search", { query: "pelicans" }, ANN)).body.data.result.results;
  expect(await found(other)).toEqual([]);
  const { one: stranger } = await newAgentTenant(product);
  expect(await found(stranger)).toEqual([]);
});

test("the tenant denies paths, the policy takes the group away, and approval rules look at arguments", async () => {
  await settings({ files: { deny: ["memory/people.md"] } });
  expect((await search("dog Rex", ANN)).results).toEqual([]);
  expect((await run("memory_get", { path: "memory/people.md" }, ANN)).error.message).toMatch(/no file/);
  await settings({ files: { deny: [] }, approval: { tools: { memory_get: "ask" } } });
  const codeOf = async (tool: string, args: object) => (await call(agent, tool, args)).body.code;
  const asked = await call(agent, "memory_get", { path: "MEMORY.md" });
  expect([asked.status, asked.body.data.status]).toEqual([202, "awaiting_approval"]);
  await settings({ approval: { tools: {} } });
  expect((await put("PUT", "/api/v1/policy", '{"deny":["group:memory"]}')).status).toBe(200);
  expect(await codeOf("memory_search", { query: "dog" })).toBe("tool.not_found");
  await put("PUT", "/api/v1/policy", '{"allow":["group:memory"]}');
  const { tools } = (await agent.get("/api/v1/custom-tools/active/definitions?format=mcp")).body.data;
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(["memory_get", "memory_search"]);
  expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true } });
  await put("PUT", "/api/v1/policy", "{}");
});

test("the list of built-in tools and the features tell that it is there", async () => {
  const { tools } = (await owner.get("/api/v1/built-in-tools")).body.data;
  expect(tools.find(({ name }: { name: string }) => name === "memory_search")).toMatchObject({
    group: "memory",
    permission: "filesystem",
    letBy: "policy",
    engine: { available: true, missing: null },
  });
  expect((await owner.get("/api/v1/me")).body.data.features.memory).toBe(true);
});

test("a tool without the permission can't look into the memory", async () => {
  await owner.post("/api/v1/custom-tools", {
    name: "bare",
    description: "Has no permission.",
    parameters: { type: "object", properties: {} },
    code: `return utils.callTool("memory_search", { query: "dog" }).catch(({ code }) => code);`,
  });
  expect((await run("bare", {})).result).toBe("tool_not_allowed");
});
