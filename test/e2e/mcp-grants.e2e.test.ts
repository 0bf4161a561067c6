import { queryRows, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { meta, newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";

const TOOLS = "/api/v1/custom-tools";
const SERVER = "files";

const product = await sharedProduct();
let tenant: AgentTenant;

const sql = (text: string, ...values: unknown[]) => queryRows(product.databaseUrl, text, values);
const run = (client: Client, tool: string, body: object = {}, headers: Record<string, string> = {}) =>
  client
    .raw("POST", `${TOOLS}/${tool}/execute`, JSON.stringify(body), {
      "content-type": "application/json",
      ...headers,
    })
    .then(({ status }) => status);
const namesIn = (tools: { name: string }[]) => tools.map(({ name }) => name).toSorted();
const definitions = async (client: Client, query = "", headers: Record<string, string> = {}) =>
  namesIn((await client.get(`${TOOLS}/active/definitions${query}`, headers)).body.data.tools);

/** A server whose tools `read` and `write` stand as tools, as the bridge makes them, and which nobody gets but by a grant. */
beforeAll(async () => {
  tenant = await newAgentTenant(product);
  const { owner } = tenant;
  const { id: readId, userId } = await createTool(owner, "files_read", "return 1");
  const { id: writeId } = await createTool(owner, "files_write", "return 1");
  await createTool(owner, "plain", "return 1");
  await createTool(
    owner,
    "nested",
    "return { listed: (await utils.listTools()).map(({ name }) => name), called: await utils.callTool('files_read', {}).catch(({ message }) => message) }",
  );
  for (const [id, tool] of [
    [readId, "read"],
    [writeId, "write"],
  ])
    await sql("UPDATE tools SET mcp = $2::jsonb, revision = revision + 1 WHERE id = $1", id, {
      server: SERVER,
      tool,
    });
  await sql(
    `INSERT INTO mcp_servers (tenant_id, name, transport, url, args, env, headers, timeout_ms, agent_ids)
      VALUES ($1, $2, 'sse', 'https://files.example/', '[]', '{}', '{}', 1000, '[]')`,
    userId,
    SERVER,
  );
  await sql(
    `INSERT INTO mcp_grants (tenant_id, server, scope, id, tool_allow, tool_deny, enabled) VALUES
      ($1, $2, 'agent', 'one', '["read"]', '[]', true), ($1, $2, 'user', 'ann', NULL, '["write"]', true)`,
    userId,
    SERVER,
  );
  await sql("UPDATE tenants SET mcp_version = mcp_version + 1 WHERE id = $1", userId);
  // A change of the policy tells all processes of both.
  const put = await owner.raw("PUT", "/api/v1/policy", "{}", { "content-type": "application/json" });
  expect(put.status).toBe(200);
});

describe("[R64] a tool of an MCP server", () => {
  test("is an agent's whom a grant names, and not there for another", async () => {
    const { one, two } = tenant;
    expect(await definitions(one)).toEqual(["files_read", "nested", "plain"]);
    expect(await definitions(two)).toEqual(["nested", "plain"]);
    expect([await run(one, "files_read"), await run(one, "files_write")]).toEqual([200, 404]);
    expect([await run(two, "files_read"), await run(two, "nobodys")]).toEqual([404, 404]);
    expect((await meta(two, "search_tools", { query: "files" })).body.data.tools).toEqual([]);
    expect((await two.get(`${TOOLS}/stats`)).body.data.total).toBe(2);
  });

  test("is not there by MCP, nor within another tool's run", async () => {
    const { one, two } = tenant;
    const [ones, twos] = await Promise.all([one, two].map((client) => connectMcp(product, client, "auto")));
    expect(namesIn((await ones!.listTools()).tools)).toContain("files_read");
    expect(namesIn((await twos!.listTools()).tools)).not.toContain("files_read");
    await expect(twos!.callTool({ name: "files_read" })).rejects.toThrow("Unknown tool: files_read");
    const inside = async (client: Client) =>
      (await client.post(`${TOOLS}/nested/execute`, {})).body.data.result;
    expect(await inside(one)).toMatchObject({ called: 1 });
    expect((await inside(two)).listed).not.toContain("files_read");
    expect((await inside(two)).called).toMatch(/files_read/);
  });

  test("is a user's by a grant of theirs, but for what it denies, also beside an agent's", async () => {
    const { owner, one } = tenant;
    expect(await definitions(owner)).toContain("files_write");
    expect(await definitions(owner, "?userId=ann")).toEqual(["files_read", "nested", "plain"]);
    expect(await definitions(owner, "?userId=bob")).toEqual(["nested", "plain"]);
    expect(await definitions(owner, "", { "bulkhead-user": "bob" })).toEqual(["nested", "plain"]);
    expect(await run(owner, "files_write", { context: { userId: "ann" } })).toBe(404);
    expect(await run(owner, "files_read", { context: { userId: "bob" } })).toBe(404);
    expect(await run(owner, "files_read", {}, { "bulkhead-user": "ann" })).toBe(200);
    expect(await run(one, "files_write", { context: { userId: "ann" } })).toBe(404);
    const { body } = await owner.post("/api/v1/policy/explain", { userId: "ann" });
    expect(body.data.tools.find(({ name }: { name: string }) => name === "files_write")).toMatchObject({
      allowed: false,
      step: "mcp-servers.files.grants",
    });
  });
});
