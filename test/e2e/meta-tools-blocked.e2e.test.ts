import { everyNth, sharedProduct } from "@bulkhead/testing";
import { beforeEach, expect, test } from "vitest";
import { makeTool, meta } from "../support/agents.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const CHANGING = ["create_tool", "update_tool", "toggle_custom_tool", "delete_custom_tool"];

const product = await sharedProduct();
let owner: Client;
let agent: Client;

beforeEach(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  agent = await newClient(product, tenant.id, "agent");
  await createTool(owner, "human", "return 1;");
  await makeTool(owner, "models");
});

const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });

/** Calls of every meta-tool that acts, each of which its arguments let do something. */
const CALLS: Record<string, object> = {
  create_tool: { name: "anew", description: "x", parameters: '{"type":"object"}', code: "return 1" },
  update_tool: { name: "models", description: "changed" },
  toggle_custom_tool: { name: "human", enabled: false },
  delete_custom_tool: { name: "models", confirm: true },
  run_code: { code: "return 7" },
};

/** Of an agent's calls of these meta-tools the statuses, or the codes where they are refused. */
async function answersTo(names = Object.keys(CALLS), client = agent): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of names) {
    const { status, body } = await meta(client, name, CALLS[name] ?? {});
    answers[name] = body.code ?? status;
  }
  return answers;
}

const allAre = (names: string[], answer: unknown) => Object.fromEntries(names.map((name) => [name, answer]));

test("metaTools: blocked blocks an agent's every change of tools, and a person's none", async () => {
  product.showLogsIfTestFails();
  await settings({ metaTools: "blocked" });
  expect(await answersTo(CHANGING)).toEqual(allAre(CHANGING, "tool.blocked"));
  expect((await meta(agent, "delete_custom_tool", { name: "models" })).body.code).toBe("tool.blocked");
  expect((await owner.get(`${TOOLS}/human`)).body.data.status).toBe("active");
  expect((await owner.get(`${TOOLS}/models`)).body.data.description).toBe("models");
  expect((await meta(agent, "run_code", { code: "return 7" })).body.data.result).toBe(7);
  expect((await meta(agent, "list_custom_tools", {})).status).toBe(200);
  const people = { create_tool: 201, update_tool: 200, toggle_custom_tool: 200, delete_custom_tool: 200 };
  expect(await answersTo(CHANGING, owner)).toEqual(people);
});

test("default: blocked blocks the code that an agent brings, unless run_code is approved by name", async () => {
  await settings({ default: "blocked" });
  expect((await meta(agent, "run_code", { code: "return 7" })).body.code).toBe("tool.blocked");
  expect((await meta(owner, "run_code", { code: "return 7" })).body.data.result).toBe(7);
  await settings({ tools: { run_code: "preApproved" } });
  expect((await meta(agent, "run_code", { code: "return 7" })).body.data.result).toBe(7);
});

// By day one that changes tools, and run_code.
test.each(everyNth(Object.keys(CALLS), 4))("%s is blocked by its name, and by a rule", async (name) => {
  await settings({ default: "preApproved", metaTools: "preApproved", tools: { [name]: "blocked" } });
  expect(await answersTo([name])).toEqual({ [name]: "tool.blocked" });
  const rules = [
    { tool: name, pattern: "*", decision: "preApproved" },
    { tool: name, pattern: "*", decision: "blocked" },
  ];
  await settings({ tools: {}, rules });
  expect(await answersTo([name])).toEqual({ [name]: "tool.blocked" });
  expect((await owner.get(`${TOOLS}/human`)).body.data.status).toBe("active");
  await settings({ rules: [] });
  expect((await answersTo([name]))[name]).toBe(name === "create_tool" ? 201 : 200);
});

test("a rule looks at the code that an agent brings, and at the tool that is meant, called by whatever name", async () => {
  const rules = [
    { tool: "run_code", argument: "/code", pattern: "*callTool*", decision: "blocked" },
    { tool: "toggle_custom_tool", argument: "/name", pattern: "human", decision: "blocked" },
  ];
  await settings({ rules });
  const reaching = { code: 'return utils.callTool("human", {})' };
  expect((await meta(agent, "run_code", reaching)).body.code).toBe("tool.blocked");
  expect((await meta(agent, "run_code", { code: "return 7" })).body.data.result).toBe(7);
  const { id } = (await owner.get(`${TOOLS}/human`)).body.data;
  for (const name of ["human", id])
    expect((await meta(agent, "toggle_custom_tool", { name, enabled: false })).body.code).toBe(
      "tool.blocked",
    );
  expect((await meta(agent, "toggle_custom_tool", { name: "models", enabled: false })).status).toBe(200);
});

test("what is said of a meta-tool by name comes before metaTools", async () => {
  const tools = { create_tool: "preApproved", toggle_custom_tool: "preApproved", delete_custom_tool: "ask" };
  await settings({ metaTools: "blocked", tools });
  const held = { update_tool: "tool.blocked", delete_custom_tool: 202 };
  expect(await answersTo(CHANGING)).toEqual({ create_tool: 201, toggle_custom_tool: 200, ...held });
});

test("a waiting call whose meta-tool is blocked by name meanwhile can't be allowed", async () => {
  const waits = (await makeTool(agent, "asked_before")).body.data.links.self;
  await settings({ tools: { create_tool: "blocked" } });
  expect((await owner.post(`${waits}/allow-once`, {})).body.code).toBe("tool.blocked");
  await settings({ metaTools: "blocked", tools: { create_tool: "ask" } });
  expect((await owner.post(`${waits}/allow-once`, {})).body.data.status).toBe("allowed");
});

test("a setting that can have no effect is refused by name, and nothing is stored of it", async () => {
  const refused = await settings({
    default: "blocked",
    tools: { run_code: "ask", list_custom_tools: "blocked", call_tool: "blocked", create_tool: "ask" },
    rules: [
      { tool: "update_tool", pattern: "*", decision: "blocked" },
      { tool: "update_tool", pattern: "*", decision: "ask" },
    ],
  });
  expect([refused.status, refused.body.code]).toEqual([400, "request.invalid"]);
  const told = refused.body.errors.map(({ path, message }: Record<string, string>) => [path, message]);
  expect(told).toEqual([
    ["approval.tools.run_code", expect.stringContaining("blocked or preApproved")],
    ["approval.tools.list_custom_tools", expect.stringContaining("only reads")],
    ["approval.tools.call_tool", expect.stringContaining("the tool that call_tool calls")],
    ["approval.rules.1.decision", expect.stringContaining("update_tool")],
  ]);
  expect((await owner.get("/api/v1/tenant/settings")).body.data.approval).toMatchObject({
    default: "ask",
    tools: {},
  });
});

test("who approves a model's tool by its own word is warned that it has no effect, and told what has", async () => {
  const path = `${TOOLS}/models`;
  for (const change of [{ approval: "preApproved" }, { requiresApproval: false }]) {
    const { status, body } = await owner.patch(path, change);
    expect(status).toBe(200);
    const [field = ""] = Object.keys(change);
    expect(body.data.warnings).toEqual([expect.stringMatching(`${field}.*no effect.*allow-always`)]);
    const { status: called } = await agent.post(`${path}/execute`, { arguments: {} });
    expect(called).toBe(202);
  }
  for (const [ref, change] of [
    ["models", { approval: "ask" }],
    ["models", { description: "x" }],
    ["human", { approval: "preApproved", requiresApproval: false }],
  ] as const)
    expect((await owner.patch(`${TOOLS}/${ref}`, change)).body.data).not.toHaveProperty("warnings");
  const more = { createdBy: "llm", approval: "preApproved" };
  expect((await createTool(owner, "written_by_model", "return 1;", more)).warnings).toHaveLength(1);
});

test("an agent is told by the definitions which of its calls a person has to allow, from a change of settings on", async () => {
  await createTool(owner, "free", "return 1;", { approval: "preApproved" });
  const confirmed = async (client: Client) => {
    const { tools } = (await client.get(`${TOOLS}/active/definitions`)).body.data;
    return tools
      .filter((tool: { requiresConfirmation: boolean }) => tool.requiresConfirmation)
      .map(({ name }: { name: string }) => name);
  };
  const waits = async (name: string) =>
    (await agent.post(`${TOOLS}/${name}/execute`, { arguments: {} })).status === 202;
  expect(await confirmed(agent)).toEqual(["models", "human"]);
  expect([await waits("human"), await waits("free")]).toEqual([true, false]);
  expect(await confirmed(owner)).toEqual(["models"]);
  await settings({ tools: { human: "preApproved" } });
  expect(await confirmed(agent)).toEqual(["models"]);
  expect(await waits("human")).toBe(false);
  await settings({ default: "preApproved", tools: { human: "ask" } });
  expect(await confirmed(agent)).toEqual(["models", "human"]);
  const described = await meta(agent, "describe_tools", { names: ["human", "free"] });
  expect(
    described.body.data.tools.map((tool: { requiresConfirmation: boolean }) => tool.requiresConfirmation),
  ).toEqual([true, false]);
});
