import { everyNth, isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let tenantId: string;
let admin: Client;
let owner: Client;
let developer: Client;
let agent: Client;

beforeAll(async () => {
  admin = new Client(product.url, product.adminKey);
  ({ id: tenantId, owner } = await newTenant(product));
  developer = await asRole("developer");
  agent = await asRole("agent");
  await createTool(owner, "shell", "return args.command ?? 'ran';", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
});

const asRole = (role: string, id = tenantId) => newClient(product, id, role);

const call = (client: Client, command: string, more: Record<string, unknown> = {}, tool = "shell") =>
  client.post(`${TOOLS}/${tool}/execute`, { arguments: { command }, ...more });

/** What becomes of an agent's call of `shell`, whichever API it meets. */
async function answerTo(command: string): Promise<string> {
  const { body } = await call(agent, command, { mode: "async" });
  return body.code ?? body.data.status;
}

const settings = (approval: Record<string, unknown>) => owner.patch("/api/v1/tenant/settings", { approval });

test("the tenant's policy decides: preApproved runs, blocked is refused, and rules look at arguments", async () => {
  const rules = [
    { tool: "shell", argument: "/command", pattern: "git *", decision: "preApproved" },
    { tool: "shell", argument: "/command", pattern: "*--force*", decision: "blocked" },
  ];
  await settings({ rules });
  expect((await call(agent, "git status")).body.data.result).toBe("git status");
  const blocked = await call(agent, "git push --force");
  expect([blocked.status, blocked.body.code]).toEqual([403, "tool.blocked"]);
  expect((await call(owner, "git push --force")).status).toBe(200);
  expect((await call(agent, "ls", { mode: "async" })).body.data.status).toBe("awaiting_approval");
  await settings({ rules: [], tools: { shell: "blocked" } });
  expect(await answerTo("git status")).toBe("tool.blocked");
  const batch = await agent.post("/api/v1/executions/batch", { executions: [{ tool: "shell" }] });
  expect(batch.body.data.executions[0].error.code).toBe("tool.blocked");
  const changed = await admin.patch(`/api/v1/tenants/${tenantId}`, { settings: { approval: { tools: {} } } });
  expect(changed.body.data.settings.approval).toMatchObject({ default: "ask", tools: {}, rules: [] });
  expect((await call(agent, "ls", { mode: "async" })).body.data.status).toBe("awaiting_approval");
});

test("[P8] a tool's own word comes before its tenant's setting, and a model's tool is asked about all the same", async () => {
  await createTool(owner, "harmless", "return 1;", { approval: "preApproved" });
  expect((await call(agent, "x", {}, "harmless")).body.data.result).toBe(1);
  const changed = await owner.patch(`${TOOLS}/harmless`, { approval: "ask" });
  expect(changed.body.data).toMatchObject({ approval: "ask", version: 1 });
  await settings({ tools: { harmless: "preApproved", modelled: "preApproved" } });
  expect((await call(agent, "x", { mode: "async" }, "harmless")).body.data.status).toBe("awaiting_approval");
  await createTool(owner, "modelled", "return 1;", { createdBy: "llm", approval: "preApproved" });
  expect((await call(agent, "x", { mode: "async" }, "modelled")).body.data.status).toBe("awaiting_approval");
  await settings({ tools: {} });
});

test("people's own calls are not asked about", async () => {
  for (const client of [owner, developer]) expect((await call(client, "mine")).body.data.result).toBe("mine");
});

test("[R1] only owners change their tenant's settings", async () => {
  for (const client of [developer, agent])
    expect(
      (await client.patch("/api/v1/tenant/settings", { approval: { default: "preApproved" } })).status,
    ).toBe(403);
  expect((await developer.get("/api/v1/tenant/settings")).body.data.approval.default).toBe("ask");
});

test.each([
  ["a decision that is none", { default: "perhaps" }],
  ["an unknown field", { defaults: "ask" }],
  [
    "a pointer that is none",
    { rules: [{ tool: "shell", argument: "command", pattern: "*", decision: "ask" }] },
  ],
  ["a pattern over its bound", { rules: [{ tool: "shell", pattern: "x".repeat(513), decision: "ask" }] }],
  ["a wait over a day", { timeoutMs: 86_400_001 }],
  ["a name that no tool has", { tools: { "Not a name": "ask" } }],
])("settings with %s are refused by name", async (_name, approval) => {
  const { status, body } = await settings(approval);
  expect([status, body.code]).toEqual([400, "request.invalid"]);
  expect(body.errors[0].path).toMatch(/^approval\./);
});

test("what is blocked or asked about can't be reached by a detour through another tool", async () => {
  await createTool(owner, "detour", "return utils.callTool('shell', { command: args.command });", {
    approval: "preApproved",
  });
  expect((await call(agent, "ls", {}, "detour")).body.data.result).toBe("ls");
  const rules = [{ tool: "shell", argument: "/command", pattern: "rm *", decision: "blocked" }];
  await settings({ rules });
  expect((await call(agent, "rm -rf", {}, "detour")).body.data.error.message).toContain(
    "is blocked for agents",
  );
  await settings({ rules: [], tools: { shell: "ask" } });
  const { error } = (await call(agent, "ls", {}, "detour")).body.data;
  expect(error.message).toContain("runs only with a person's confirmation");
  expect((await call(owner, "ls", {}, "detour")).body.data.result).toBe("ls");
  await settings({ tools: {} });
});

test("what is blocked meanwhile can't be allowed: the call waits on, and runs if nothing blocks it any more", async () => {
  const asked = (await call(agent, "late", { mode: "async" })).body.data;
  const allow = (how: string, body = {}) => owner.post(`${asked.links.approval}/${how}`, body);
  const rules = [{ tool: "shell", argument: "/command", pattern: "late", decision: "blocked" }];
  const block = {
    "by its name": () => settings({ tools: { shell: "blocked" } }),
    "by a rule": () => settings({ rules }),
    "by default": () => settings({ default: "blocked" }),
    "by the tool": () => owner.patch(`${TOOLS}/shell`, { approval: "blocked" }),
  };
  for (const [how, begin] of everyNth(Object.entries(block), 2)) {
    expect((await begin()).status, how).toBe(200);
    expect(await answerTo("late")).toBe("tool.blocked");
    for (const answer of ["allow-once", "allow-always"]) {
      const { status, body } = await allow(answer);
      expect([status, body.code], `${how}, ${answer}`).toEqual([403, "tool.blocked"]);
    }
    expect((await owner.get(asked.links.approval)).body.data.status).toBe("waiting");
    await settings({ tools: {}, rules: [], default: "ask" });
    await owner.patch(`${TOOLS}/shell`, { approval: null });
    expect(await answerTo("late")).toBe("awaiting_approval");
  }
  expect((await owner.get("/api/v1/approvals/standing")).body.data.standing).toEqual([]);
  expect((await allow("allow-once")).body.data.status).toBe("allowed");
  const denied = (await call(agent, "late", { mode: "async" })).body.data;
  await settings({ tools: { shell: "blocked" } });
  expect((await owner.post(`${denied.links.approval}/deny`)).body.data.status).toBe("denied");
  await settings({ tools: {} });
});

test("the list has pages, newest first", async () => {
  const pages = await newTenant(product);
  await createTool(pages.owner, "shell", "return 1;");
  const asker = await asRole("agent", pages.id);
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1)
    ids.unshift((await asker.post(`${TOOLS}/shell/execute`)).body.data.executionId);
  const seen: string[] = [];
  for (let cursor = ""; ;) {
    const { data } = (await pages.owner.get(`/api/v1/approvals?limit=2${cursor}`)).body;
    seen.push(...data.approvals.map((one: { executionId: string }) => one.executionId));
    if (data.nextCursor === null) break;
    cursor = `&cursor=${data.nextCursor}`;
  }
  expect(seen).toEqual(ids);
});

test.runIf(isNightly)(
  "a tenant has room for a thousand calls that wait, and the next one is told when to come again",
  async () => {
    const crowd = await newTenant(product);
    await createTool(crowd.owner, "shell", "return 1;");
    const asker = await asRole("agent", crowd.id);
    const batch = (length: number) => ({ executions: Array.from({ length }, () => ({ tool: "shell" })) });
    await asker.post("/api/v1/executions/batch", batch(999));
    const { executions } = (await asker.post("/api/v1/executions/batch", batch(2))).body.data;
    expect(executions[0].status).toBe("awaiting_approval");
    expect(executions[1].error.code).toBe("approval.too_many");
    const refused = await asker.post(`${TOOLS}/shell/execute`);
    expect([refused.status, refused.body.code]).toEqual([429, "approval.too_many"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit")).toContain("approvals");
    expect((await crowd.owner.post(`/api/v1/approvals/${executions[0].executionId}/deny`)).status).toBe(200);
    expect((await asker.post(`${TOOLS}/shell/execute`)).status).toBe(202);
  },
);
