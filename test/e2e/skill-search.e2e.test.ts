import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";

const product = await sharedProduct();
const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;
let owner: Client;
let agent: Client;
let other: Client;

beforeAll(async () => {
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
});

const call = (client: Client, tool: string, args: object, context: object = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, context });
const run = async (tool: string, args: object, context: object = {}, client = agent) =>
  (await call(client, tool, args, context)).body.data;
const skill = (name: string, description: string) => ({
  path: `skills/${name}/SKILL.md`,
  content: `---\nname: ${name}\ndescription: ${description}\n---\n# How\nRead it.\n`,
});

test("an agent finds the skill that fits, and reads it, right after it was written", async () => {
  product.showLogsIfTestFails();
  await run("write_file", skill("invoices", "Writes invoices as PDF"));
  await run("write_file", skill("weather", "Tells the weather"));
  const { result, metadata } = await run("skill_search", { query: "an invoice, or invoices?" });
  expect(result).toEqual({
    results: [
      {
        name: "invoices",
        description: "Writes invoices as PDF",
        path: "skills/invoices/SKILL.md",
        score: expect.any(Number),
      },
    ],
    searched: 2,
    cut: false,
    faults: [],
  });
  expect(metadata.usage).toMatchObject({ capabilityCalls: 1, networkRequests: 0 });
  expect((await run("read_file", { path: result.results[0].path })).result.text).toContain("# How");
});

test("two users and two agents have their own; the tenant's is everybody's", async () => {
  const put = (query: string, { path, content }: ReturnType<typeof skill>) =>
    fetch(`${product.url}/api/v1/files/${path}${query}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/octet-stream" },
      body: content,
    });
  expect((await put("", skill("house", "The sailing rules of the house"))).status).toBe(201);
  await run("write_file", skill("knots", "Sailing knots"), { userId: "ann" });
  const found = async (client: Client, context: object) =>
    (await run("skill_search", { query: "sailing" }, context, client)).result.results
      .map(({ name }: { name: string }) => name)
      .toSorted();
  expect(await found(agent, { userId: "ann" })).toEqual(["house", "knots"]);
  expect(await found(agent, { userId: "bob" })).toEqual(["house"]);
  expect(await found(other, { userId: "ann" })).toEqual(["house"]);
  const { one: stranger } = await newAgentTenant(product);
  expect(await found(stranger, { userId: "ann" })).toEqual([]);
});

test.each([
  [{}, /required/],
  [{ query: " " }, /query/],
  [{ query: "a".repeat(401) }, /query/],
  [{ query: "a", limit: 21 }, /limit/],
  [{ query: "a", path: "skills" }, /additional|unknown|not allowed/i],
])("%j is refused by its schema", async (args, message) => {
  const { status, body } = await call(agent, "skill_search", args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

test("a tool needs the permission, a policy takes it away as a group, and secrets are covered", async () => {
  await createTool(owner, "no_files", "return utils.callTool('skill_search', { query: 'a' });");
  expect((await run("no_files", {}, {}, owner)).error.message).toMatch(/filesystem/);
  await run("write_file", skill("token", `Uses ${VENDOR_TOKEN} zebra`));
  const { result } = await run("skill_search", { query: "zebra" });
  expect(result.results[0].description).toBe("Uses [REDACTED] zebra");
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  expect((await put({ deny: ["group:skills"] })).status).toBe(200);
  expect((await call(agent, "skill_search", { query: "a" })).body.code).toBe("tool.not_found");
  expect((await put({ allow: ["group:skills"] })).status).toBe(200);
  const { tools } = (await agent.get("/api/v1/custom-tools/active/definitions")).body.data;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["skill_search"]);
  const settle = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
  await settle({ tools: { skill_search: "blocked" } });
  expect((await call(agent, "skill_search", { query: "a" })).body.code).toBe("tool.blocked");
});
