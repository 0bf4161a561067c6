import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { Client, createTool, newClient, newTenant, type Answer } from "../support/client.ts";

const product = await sharedProduct();
const API = "/api/v1";
const TOOLS = `${API}/custom-tools`;
const SECRET = "ghp_" + "z9Y8".repeat(9);

type Rest = (client: Client) => Promise<Answer>;
let tenantId: string;
let owner: Client;
let developer: Client;
let viewer: Client;
let agent: Client;
let schedule: string;
let waiting: string;

const call = (client: Client, operation: string, args: object = {}, context: object = {}) =>
  client.post(`${TOOLS}/gateway/execute`, { arguments: { operation, arguments: args }, context });
const ask = async (client: Client, operation: string, args: object = {}, context: object = {}) =>
  (await call(client, operation, args, context)).body.data;
const refusal = async (client: Client, operation: string, args: object = {}) => {
  const { status, error } = await ask(client, operation, args);
  expect([operation, status, error?.code]).toEqual([operation, "failed", "tool.threw"]);
  return error.message as string;
};
const settings = (client: Client, change: object) => client.patch(`${API}/tenant/settings`, change);
const put = (client: Client, policy: object) =>
  client.raw("PUT", `${API}/policy`, JSON.stringify(policy), { "content-type": "application/json" });

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  [developer, viewer, agent] = (await Promise.all(
    ["developer", "viewer", "agent"].map((role) => newClient(product, tenantId, role)),
  )) as [Client, Client, Client];
  await createTool(owner, "alpha", "return args;");
  await createTool(owner, "asks", "return 1;", { requiresApproval: true });
  const fields = [{ name: "api_key", type: "secret", required: true }];
  const made = await Promise.all([
    owner.post(`${API}/schedules`, { tool: "alpha", cron: "0 0 1 1 *", arguments: {} }),
    owner.post(`${API}/config-services`, { name: "outside", configSchema: fields }),
    owner.post(`${API}/mcp-servers`, {
      name: "others",
      transport: "streamable-http",
      url: "https://mcp.example.com/",
    }),
    agent.post(`${TOOLS}/asks/execute`, { arguments: {} }),
  ]);
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 202]);
  const entry = { label: "main", data: { api_key: SECRET } };
  expect((await owner.post(`${API}/config-services/outside/entries`, entry)).status).toBe(201);
  schedule = made[0].body.data.id;
  waiting = made[3].body.data.executionId;
});

/** An operation, and the request of REST that answers the same. */
type Pair = [operation: string, args: () => object, rest: Rest];
const READS: Pair[] = [
  ["tools.list", () => ({ limit: 1, search: "al" }), (c) => c.get(`${TOOLS}?limit=1&search=al`)],
  ["tools.get", () => ({ id: "alpha" }), (c) => c.get(`${TOOLS}/alpha`)],
  ["executions.list", () => ({ tool: "asks" }), (c) => c.get(`${API}/executions?tool=asks`)],
  ["executions.get", () => ({ id: waiting }), (c) => c.get(`${API}/executions/${waiting}`)],
  ["approvals.list", () => ({ limit: 5 }), (c) => c.get(`${API}/approvals?limit=5`)],
  ["schedules.list", () => ({}), (c) => c.get(`${API}/schedules`)],
  ["keys.list", () => ({}), (c) => c.get(`${API}/tenants/${tenantId}/api-keys`)],
  ["services.list", () => ({}), (c) => c.get(`${API}/config-services`)],
  ["policies.get", () => ({}), (c) => c.get(`${API}/policy`)],
  [
    "policies.check",
    () => ({ agentId: "one", policy: { deny: ["alpha"] } }),
    (c) => c.post(`${API}/policy/explain`, { agentId: "one", policy: { deny: ["alpha"] } }),
  ],
  ["mcp_servers.list", () => ({}), (c) => c.get(`${API}/mcp-servers`)],
];
const WRITES: Pair[] = [
  ["tools.disable", () => ({ id: "alpha" }), (c) => c.post(`${TOOLS}/alpha/disable`)],
  ["tools.enable", () => ({ id: "alpha" }), (c) => c.post(`${TOOLS}/alpha/enable`)],
  ["schedules.pause", () => ({ id: schedule }), (c) => c.post(`${API}/schedules/${schedule}/pause`)],
  ["schedules.resume", () => ({ id: schedule }), (c) => c.post(`${API}/schedules/${schedule}/resume`)],
  ["mcp_servers.disable", () => ({ name: "others" }), (c) => c.post(`${API}/mcp-servers/others/disable`)],
  ["mcp_servers.enable", () => ({ name: "others" }), (c) => c.post(`${API}/mcp-servers/others/enable`)],
];
/** Others run something or tell of a moment: of them the roles are compared. */
const BY_ROLE: Pair[] = [
  ["status", () => ({}), (c) => c.get(`${API}/usage`)],
  ["audit.list", () => ({ limit: 2 }), (c) => c.get(`${API}/audit?limit=2`)],
  ["schedules.run", () => ({ id: schedule }), (c) => c.post(`${API}/schedules/${schedule}/run`)],
];

/** Moments and counters move between two looks. */
const still = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) =>
      ["lastUsedAt", "usageCount", "updatedAt", "stateAt"].includes(name) ? undefined : value,
    ),
  );

test("[G1] each operation answers a key what REST answers it, and refuses it what REST refuses it", async () => {
  const compare = async ([operation, args, rest]: Pair): Promise<void> => {
    for (const client of [owner, developer]) {
      const { status, result, error } = await ask(client, operation, args());
      const { status: code, body } = await rest(client);
      if (code === 403) {
        expect([operation, error?.message]).toEqual([operation, expect.stringContaining(body.detail)]);
      } else {
        expect([operation, code < 300, status]).toEqual([operation, true, "succeeded"]);
        if (!BY_ROLE.some(([name]) => name === operation)) expect(still(result)).toEqual(still(body.data));
      }
    }
    // A viewer runs nothing, and an agent's key administers nothing, whatever it may read elsewhere.
    const refused = await Promise.all([call(viewer, operation, args()), call(agent, operation, args())]);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 2 }, () => [403, "auth.forbidden"]),
    );
  };
  await Promise.all(READS.map(compare));
  for (const pair of [...WRITES, ...BY_ROLE]) await compare(pair);
  const seen = [...READS, ...WRITES, ...BY_ROLE].map(([operation]) => operation);
  const { tools } = (await owner.get(`${API}/built-in-tools`)).body.data;
  const gateway = tools.find(({ name }: { name: string }) => name === "gateway");
  expect([...seen, "executions.cancel"].toSorted()).toEqual(
    gateway.parameters.properties.operation.enum.toSorted(),
  );
  expect(gateway).toMatchObject({
    group: "automation",
    permission: null,
    letBy: "name",
    onlyForKeys: ["owner", "developer"],
    engine: { available: true, missing: null },
  });
});

test("an agent's key is told what to do", async () => {
  expect((await call(agent, "status")).body.detail).toMatch(/role agent .*owner, developer.*Ask an owner/);
});

test("status tells limits, load and the month; runs and cancels are told as REST tells them", async () => {
  const { result } = await ask(owner, "status");
  const { data: me } = (await owner.get(`${API}/me`)).body;
  expect(result).toMatchObject({ limits: me.limits, load: { running: 1 } });
  expect(result.usage.total.executions).toBeGreaterThan(0);
  const ran = (await ask(owner, "schedules.run", { id: schedule })).result;
  expect(ran).toMatchObject({ status: "queued", links: { self: `${API}/executions/${ran.executionId}` } });
  const cancelled = (await ask(owner, "executions.cancel", { id: waiting })).result;
  expect(cancelled).toMatchObject({ id: waiting, status: "cancelled" });
  const again = await owner.post(`${API}/executions/${waiting}/cancel`);
  expect(await refusal(owner, "executions.cancel", { id: waiting })).toContain(again.body.detail);
});

test("[G2] the audit log names the key and its agent, and no answer has a secret", async () => {
  const context = { agentId: "clerk" };
  await settings(owner, { approval: { tools: { gateway: "preApproved" } } });
  expect((await ask(owner, "tools.disable", { id: "alpha" }, context)).status).toBe("succeeded");
  await ask(owner, "tools.enable", { id: "alpha" });
  const { entries } = (await owner.get(`${API}/audit?action=tool.disabled&limit=1`)).body.data;
  const me = (await owner.get(`${API}/me`)).body.data.key;
  expect(entries).toMatchObject([{ actor: { role: "owner", keyId: me.id, agentId: "clerk" } }]);
  for (const operation of ["services.list", "keys.list", "audit.list", "executions.list"])
    expect(JSON.stringify(await ask(owner, operation))).not.toMatch(
      new RegExp(`${SECRET}|${owner.key}|${agent.key}`),
    );
});

test.each([
  ["tools.get", {}, /arguments\.id: /],
  ["tools.get", { id: "nothing" }, /no tool with this id or name/],
  ["tools.list", { limit: 0 }, /arguments\.limit: /],
  ["tools.list", { limit: 201 }, /arguments\.limit: /],
  ["tools.list", { cursor: "x" }, /cursor must be the nextCursor/],
  ["tools.list", { limits: 1 }, /limits.*limit/],
  ["executions.list", { status: ["odd"] }, /arguments\.status/],
  ["executions.get", { id: "exe_1" }, /no execution/i],
  ["mcp_servers.enable", { name: "nobodys" }, /mcp-servers/],
  ["keys.list", { tenantId: "ten_1" }, /tenantId/],
  ["policies.check", { policy: { deny: ["nothing_such"] } }, /nothing_such|deny/],
])("%s with %j fails in words that a model can use", async (operation, args, words) => {
  expect(await refusal(owner, operation, args)).toMatch(words);
});

test.each([
  [{}, /required/],
  [{ operation: "keys.create" }, /operation/],
  [{ operation: "approvals.allow" }, /operation/],
  [{ operation: "status", arguments: [] }, /object/],
  [{ operation: "status", tenantId: "ten_1" }, /tenantId|additional/],
])("%j is refused by the schema", async (args, words) => {
  const { status, body } = await owner.post(`${TOOLS}/gateway/execute`, { arguments: args });
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(words);
});

describe("who may call it", () => {
  test("[G3] no tool, no script, no draft, no subagent, no schedule and no access token administers anything", async () => {
    const inner = `return utils.callTool("gateway", { operation: "keys.list" }).catch(({ code, message }) => [code, message]);`;
    await createTool(owner, "deputy", inner);
    const listed = `return (await utils.listTools()).map(({ name }) => name);`;
    await createTool(owner, "lister", listed);
    const run = async (name: string) =>
      (await owner.post(`${TOOLS}/${name}/execute`, { arguments: {} })).body.data.result;
    const [code, message] = await run("deputy");
    expect([code, message]).toEqual(["tool_not_allowed", expect.stringContaining("no tool or script")]);
    expect(await run("lister")).not.toContain("gateway");
    const script = await owner.post(`${API}/meta-tools/run_code`, { code: inner, arguments: {} });
    expect(script.body.data.result[0]).toBe("tool_not_allowed");
    const draft = {
      name: "gateway",
      code: inner,
      parameters: { type: "object" },
      arguments: {},
      testArguments: {},
    };
    const { body: tried } = await owner.post(`${TOOLS}/test`, draft);
    expect(JSON.stringify(tried)).not.toContain('"apiKeys"');
    const deep = await call(owner, "status", {}, { subagentDepth: 1 });
    expect([deep.status, deep.body.detail]).toEqual([403, expect.stringContaining("No subagent")]);
    const planned = await owner.post(`${API}/schedules`, { tool: "gateway", everyMs: 60_000, arguments: {} });
    expect(planned.body.code).toBe("tool.not_found");
    const minted = await owner.post(`${API}/access-tokens`, {
      scope: { tools: ["gateway"], operations: ["execute", "read"] },
      expiresInSeconds: 60,
    });
    const bearer = new Client(product.url, minted.body.data.token);
    const { status, body } = await call(bearer, "status");
    expect([status, body.detail]).toEqual([403, expect.stringContaining("access token")]);
  });

  test("an owner's agent needs a word of it by name: a rule lets it look, and a person is asked about the rest", async () => {
    const { owner: boss } = await newAgentTenant(product);
    await createTool(boss, "beta", "return 1;");
    const context = { agentId: "clerk" };
    const asked = async (operation: string, args = {}) =>
      (await call(boss, operation, args, context)).body.data?.status;
    expect(await asked("tools.list")).toBe("awaiting_approval");
    const rule = { tool: "gateway", argument: "/operation", pattern: "*.list", decision: "preApproved" };
    await settings(boss, { approval: { rules: [rule] } });
    expect(await asked("tools.list")).toBe("succeeded");
    const { executionId, status } = (await call(boss, "tools.disable", { id: "beta" }, context)).body.data;
    expect(status).toBe("awaiting_approval");
    await boss.post(`${API}/approvals/${executionId}/allow-once`, {});
    const isDisabled = async () => (await boss.get(`${TOOLS}/beta`)).body.data.status === "disabled";
    await until(isDisabled, { what: "the tool's end of service" });
    await settings(boss, { approval: { rules: [], tools: { gateway: "blocked" } } });
    expect((await call(boss, "tools.list", {}, context)).body.code).toBe("tool.blocked");
    expect(await ask(boss, "tools.list")).toMatchObject({ status: "succeeded" });
  });

  test("a policy shows it to whom it names it and hides it from whom it forbids it; an agent's key never has it listed", async () => {
    const { owner: boss, one } = await newAgentTenant(product);
    const definitions = async (client: Client, query = "") =>
      JSON.stringify((await client.get(`${TOOLS}/active/definitions${query}`)).body);
    await put(boss, { agents: { clerk: { allow: ["gateway"] }, one: { allow: ["gateway"] } } });
    expect(await definitions(boss, "?agentId=clerk")).toContain('"gateway"');
    expect(await definitions(boss, "?agentId=other")).not.toContain('"gateway"');
    expect(await definitions(one)).not.toContain('"gateway"');
    // Its calls wait where no word lets them run; the model is told.
    const shown = async (approval: object) => {
      await settings(boss, { approval });
      const [told] = (await boss.get(`${TOOLS}/active/definitions?agentId=clerk`)).body.data.tools;
      const asked = { names: ["gateway"], context: { agentId: "clerk" } };
      const [again] = (await boss.post(`${API}/meta-tools/describe_tools`, asked)).body.data.tools;
      const types = (await boss.get(`${TOOLS}/types.d.ts?agentId=clerk`)).body;
      return [told?.requiresConfirmation, again?.requiresConfirmation, types.includes("  gateway: {")];
    };
    expect(await shown({})).toEqual([true, true, true]);
    expect(await shown({ tools: { gateway: "preApproved" } })).toEqual([false, false, true]);
    expect(await shown({ tools: { gateway: "blocked" } })).toEqual([undefined, undefined, false]);
    await put(boss, { forbid: ["gateway"] });
    expect((await call(boss, "status", {}, { agentId: "clerk" })).body.code).toBe("tool.not_found");
  });

  test("nobody sees another tenant's: ids of one are nothing to another", async () => {
    const { owner: stranger } = await newTenant(product);
    for (const [operation, args] of [
      ["tools.get", { id: "alpha" }],
      ["tools.disable", { id: "alpha" }],
      ["executions.get", { id: waiting }],
      ["executions.cancel", { id: waiting }],
      ["schedules.pause", { id: schedule }],
      ["schedules.run", { id: schedule }],
      ["mcp_servers.disable", { name: "others" }],
    ] as const)
      expect(await refusal(stranger, operation, args)).toMatch(/no |yours/i);
    const lists = [
      "tools",
      "executions",
      "approvals",
      "schedules",
      "keys",
      "services",
      "mcp_servers",
      "audit",
    ];
    const answers = await Promise.all(lists.map((list) => ask(stranger, `${list}.list`)));
    expect(JSON.stringify(answers.map(({ result }) => result))).not.toMatch(
      new RegExp(`alpha|outside|others|${waiting}|${schedule}|${tenantId}`),
    );
  });
});
