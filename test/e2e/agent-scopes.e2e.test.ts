import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTool, meta, newAgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let owner: Client;
let one: Client;
let two: Client;
let none: Client;
/** The tools that the tenant and agent "one" have by the same name, and one that "one" has alone. */
let tenants: string;
let ones: string;
let onesOnly: string;

beforeAll(async () => {
  ({ owner, one, two, none } = await newAgentTenant(product));
  tenants = (await createTool(owner, "greet", "return 'tenant'")).id;
  ones = (await createTool(owner, "greet", "return 'one'", { agentId: "one" })).id;
  onesOnly = (await createTool(owner, "ones_only", "return 'one'", { agentId: "one" })).id;
});

const run = async (client: Client, ref: string, more: object = {}) =>
  (await client.post(`${TOOLS}/${ref}/execute`, more)).body.data?.result;
describe("a name", () => {
  test("stands for the agent's tool to that agent, and for the tenant's to everybody else", async () => {
    expect(await Promise.all([one, two, none, owner].map((client) => run(client, "greet")))).toEqual([
      "one",
      "tenant",
      "tenant",
      "tenant",
    ]);
    const read = async (client: Client) => (await client.get(`${TOOLS}/greet`)).body.data;
    expect(await read(one)).toMatchObject({ id: ones, agentId: "one" });
    expect((await read(two)).id).toBe(tenants);
    expect(await read(owner)).not.toHaveProperty("agentId");
  });

  test("is the agent's that a person names in the context, and never one that an agent's key names", async () => {
    const context = { agentId: "one" };
    expect(await run(owner, "greet", { context })).toBe("one");
    expect(await run(two, "greet", { context })).toBe("tenant");
    expect(await run(none, "greet", { context })).toBe("tenant");
    const code = "return [context.toolName, (await utils.callTool('greet'))]";
    const script = async (client: Client): Promise<string> =>
      (await meta(client, "run_code", { code, context })).body.data.result[1];
    expect(await Promise.all([owner, one, two, none].map(script))).toEqual([
      "one",
      "one",
      "tenant",
      "tenant",
    ]);
    const { executionId } = (await none.post(`${TOOLS}/greet/execute`, { context })).body.data;
    expect((await owner.get(`/api/v1/executions/${executionId}`)).body.data.context).toEqual({});
  });

  test("may be the same in two agents, and is taken once in each", async () => {
    for (const client of [one, two, none]) {
      const made = await makeTool(client, "their_own");
      expect(made.status).toBe(201);
      expect((await makeTool(client, "their_own")).body.code).toBe("tool.name_taken");
    }
    const { tools } = (await owner.get(`${TOOLS}?search=their_own&sort=name`)).body.data;
    expect(tools.map(({ agentId }: { agentId?: string }) => agentId ?? "").toSorted()).toEqual([
      "",
      "one",
      "two",
    ]);
    expect(new Set(tools.map(({ createdBy }: { createdBy: string }) => createdBy))).toEqual(new Set(["llm"]));
  });

  test("that the agent had found with its tenant is its own tool's from the moment it has one", async () => {
    await createTool(owner, "late", "return 'tenant'");
    await createTool(owner, "calls_late", "return utils.callTool('late')", { agentId: "two" });
    expect([await run(two, "late"), await run(two, "calls_late")]).toEqual(["tenant", "tenant"]);
    const { id } = await createTool(owner, "late_draft", "return 'two'", { agentId: "two" });
    await owner.patch(`${TOOLS}/${id}`, { name: "late" });
    expect(await run(two, "late")).toBe("two");
    await until(async () => (await run(two, "calls_late")) === "two", { what: "nested calls hear of it" });
    expect(await run(one, "late")).toBe("tenant");
    await owner.delete(`${TOOLS}/${id}`);
    expect(await run(two, "late")).toBe("tenant");
  });

  test("of an agent's tool that is switched off does not fall back to the tenant's", async () => {
    await createTool(owner, "off", "return 'tenant'");
    const { id } = await createTool(owner, "off", "return 'two'", { agentId: "two" });
    await owner.post(`${TOOLS}/${id}/disable`);
    expect((await two.post(`${TOOLS}/off/execute`, {})).body.code).toBe("tool.not_active");
    expect(await run(one, "off")).toBe("tenant");
  });
});

test("[R71] an alias is what models see, and every call takes it beside the name", async () => {
  const more = {
    alias: "API-get-issue",
    title: "Issue",
    annotations: { readOnlyHint: true },
    description: "quux",
  };
  const { id } = await createTool(owner, "get_issue", "return 'issue'", { ...more, approval: "preApproved" });
  const alias = "API-get-issue";
  expect((await owner.get(`${TOOLS}/${alias}`)).body.data).toMatchObject({ ...more, id, name: "get_issue" });
  for (const client of [owner, one]) expect(await run(client, alias)).toBe("issue");
  const executions = [{ tool: alias }, { tool: "get_issue" }];
  const batch = (await owner.post("/api/v1/executions/batch", { executions })).body.data.executions;
  expect(batch.map(({ status }: { status: string }) => status)).toEqual(["queued", "queued"]);
  const schedule = { name: "s", tool: alias, everyMs: 3_600_000, arguments: {} };
  expect((await owner.post("/api/v1/schedules", schedule)).body.data.toolId).toBe(id);
  const code = `return [await utils.callTool("${alias}"), (await utils.listTools()).map((tool) => tool.name)]`;
  const [result, names] = (await meta(owner, "run_code", { code })).body.data.result;
  expect([result, names.includes(alias), names.includes("get_issue")]).toEqual(["issue", true, false]);
  const found = (await meta(one, "search_tools", { query: "quux" })).body.data.tools;
  expect(found).toMatchObject([{ name: alias }]);
  const [described] = (await meta(one, "describe_tools", { names: [alias] })).body.data.tools;
  expect(described).toMatchObject({
    name: alias,
    typescript: expect.stringContaining("function get_issue("),
  });
  const shown = async (client: Client) =>
    (await client.get(`${TOOLS}/active/definitions?format=mcp`)).body.data.tools.find(
      ({ title }: { title?: string }) => title === "Issue",
    )?.name;
  expect(await shown(one)).toBe(alias);
  const { body } = await owner.get(`${TOOLS}?search=get-issue`);
  expect(body.data.tools.map((tool: { id: string }) => tool.id)).toEqual([id]);
  expect(
    (await owner.post(TOOLS, { name: "get_issue", description: "d", parameters: {}, code: "return 1" })).body
      .code,
  ).toBe("tool.name_taken");
  await owner.patch(`${TOOLS}/${id}`, { alias: null });
  expect(await shown(one)).toBe("get_issue");
  expect((await owner.get(`${TOOLS}/${alias}`)).status).toBe(404);
  // Meanwhile remembered look-ups are dropped too.
  expect((await one.post(`${TOOLS}/${alias}/execute`, {})).status).toBe(404);
});

test("another agent's tool is answered exactly as one that does not exist, on every route", async () => {
  const nowhere = "tool_0000000000000000";
  const asks: [string, (ref: string) => ReturnType<Client["get"]>][] = [
    ["read", (ref) => two.get(`${TOOLS}/${ref}`)],
    ["run", (ref) => two.post(`${TOOLS}/${ref}/execute`, {})],
    ["versions", (ref) => two.get(`${TOOLS}/${ref}/versions`)],
    ["version", (ref) => two.get(`${TOOLS}/${ref}/versions/1`)],
    ["diff", (ref) => two.get(`${TOOLS}/${ref}/versions/1/diff`)],
    ["toggle", (name) => meta(two, "toggle_custom_tool", { name, enabled: false })],
    ["update", (name) => meta(two, "update_tool", { name, description: "mine" })],
    ["delete", (name) => meta(two, "delete_custom_tool", { name, confirm: true })],
    ["describe", (name) => meta(two, "describe_tools", { names: [name] })],
    ["export", (names) => two.get(`${TOOLS}/export?names=${names}`)],
    ["batch", (tool) => two.post("/api/v1/executions/batch", { executions: [{ tool }] })],
  ];
  for (const [what, ask] of asks) {
    const told = async (ref: string) => {
      const { status, body } = await ask(ref);
      const { meta: _meta, ...said } = body;
      return [what, status, JSON.stringify(said).replaceAll(ref, "…")];
    };
    const missing = await told(nowhere);
    expect(await told(onesOnly)).toEqual(missing);
    expect(await told("ones_only")).toEqual(await told("nowhere_to_see"));
  }
  expect((await owner.get(`${TOOLS}/${onesOnly}`)).body.data.agentId).toBe("one");
});

describe("what a tool calls by name", () => {
  beforeAll(async () => {
    await createTool(owner, "relay", "return utils.callTool(args.name ?? 'greet')");
    await createTool(owner, "relay_of_one", "return utils.callTool(args.name ?? 'greet')", {
      agentId: "one",
    });
    const names = "return (await utils.listTools()).map(({ name, description }) => name + '/' + description)";
    await createTool(owner, "lists", names);
    await createTool(owner, "lists_for_one", names, { agentId: "one" });
  });

  test("in a tool of the tenant's is the tenant's, whichever agent runs it: none slips its own in between", async () => {
    expect(await run(one, "relay")).toBe("tenant");
    expect(await run(owner, "relay", { context: { agentId: "one" } })).toBe("tenant");
    const byId = await one.post(`${TOOLS}/relay/execute`, { arguments: { name: ones } });
    expect(byId.body.data.error.message).toContain(`There is no tool "${ones}"`);
  });

  test("in an agent's tool is the agent's before the tenant's, whoever runs it", async () => {
    const { id } = (await one.get(`${TOOLS}/relay_of_one`)).body.data;
    expect([await run(one, id), await run(owner, id)]).toEqual(["one", "one"]);
    expect(await run(owner, id, { context: { agentId: "two" } })).toBe("one");
    expect(await run(one, "relay_of_one", { arguments: { name: "relay" } })).toBe("tenant");
  });

  test("in a person's tool for an agent is never one that the agent made under a name of the tenant's", async () => {
    await createTool(owner, "trusted", "return 'tenant'");
    const code = "return utils.callTool('trusted')";
    const { id } = await createTool(owner, "calls_trusted", code, { agentId: "one" });
    await makeTool(one, "trusted", { code: "return 'hijacked'" });
    expect(await run(owner, id)).toBe("tenant");
    expect(await run(one, id)).toBe("tenant");
  });

  test("in a dry run is that of the agent whose tool it would be", async () => {
    const tool = { name: "dry", code: "return utils.callTool('greet')" };
    const tried = async (more: object) =>
      (await owner.post(`${TOOLS}/test`, { ...tool, ...more })).body.data.result;
    expect([await tried({}), await tried({ agentId: "one" })]).toEqual(["tenant", "one"]);
  });

  test("is what the tool is told that it can call", async () => {
    const { id } = (await one.get(`${TOOLS}/lists_for_one`)).body.data;
    const [asTenant, asOne] = [await run(one, "lists"), await run(one, id)];
    expect(asTenant).not.toContain("ones_only/ones_only");
    expect(asOne).toContain("ones_only/ones_only");
    expect(asOne.filter((line: string) => line === "greet/greet")).toHaveLength(1);
  });
});
