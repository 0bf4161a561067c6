import { everyNth, sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";

const TOOLS = "/api/v1/custom-tools";
const parameters = {
  type: "object",
  properties: { usd: { type: "number" }, to: { type: "array" }, note: { type: "string" } },
};
const ABOVE_100 = "return args.usd > 100;";

const product = await sharedProduct();
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  ({ owner } = tenant);
  agent = await newClient(product, tenant.id, "agent");
  await owner.patch("/api/v1/tenant/settings", { approval: { tools: { payer: "preApproved" } } });
  await createTool(owner, "pay", "console.log('paid'); return args;", {
    parameters,
    approvalCode: ABOVE_100,
  });
  await createTool(
    owner,
    "payer",
    "return await utils.callTool('pay', args).catch(({ message }) => message);",
    { parameters },
  );
});

const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
const call = (tool: string, args: object, by = agent, more: object = {}) =>
  by.post(`${TOOLS}/${tool}/execute`, { arguments: args, ...more });
const execution = async (id: string) => (await owner.get(`/api/v1/executions/${id}`)).body.data;
const settled = (id: string) =>
  until(
    async () => {
      const found = await execution(id);
      return ["queued", "running"].includes(found.status) ? null : found;
    },
    { what: `${id} ends or waits` },
  );
/** What becomes of a call that nobody waits for. */
async function sent(tool: string, args: object) {
  const { body } = await call(tool, args, agent, { mode: "async" });
  expect(body.data?.status, JSON.stringify(body)).toBe("queued");
  return settled(body.data.executionId);
}
const approvalOf = async (executionId: string) =>
  (await owner.get(`/api/v1/approvals/${executionId.replace("exe_", "apr_")}`)).body.data;
const answer = (executionId: string, how: string, body?: object) =>
  owner.post(`/api/v1/approvals/${executionId.replace("exe_", "apr_")}/${how}`, body);

test("an agent's call runs where the tool's own code says so, and waits for a person where it does not", async () => {
  product.showLogsIfTestFails();
  const small = await call("pay", { usd: 100 });
  expect([small.status, small.body.data?.result]).toEqual([200, { usd: 100 }]);
  expect(await execution(small.body.data.executionId)).not.toHaveProperty("approval");

  const large = await call("pay", { usd: 101 });
  expect(large.status).toBe(202);
  const { executionId, status, links } = large.body.data;
  expect(status).toBe("awaiting_approval");
  expect(links.approval).toBe(`/api/v1/approvals/${executionId.replace("exe_", "apr_")}`);
  expect(await approvalOf(executionId)).toMatchObject({
    status: "waiting",
    arguments: { usd: 101 },
    asking: { because: "answered" },
  });
  // What a person wrote runs, and the code is asked no more.
  expect((await answer(executionId, "allow-once", { arguments: { usd: 5_000 } })).status).toBe(200);
  const done = await settled(executionId);
  expect(done).toMatchObject({ status: "succeeded", result: { usd: 5_000 } });
  expect(done.approval).toMatchObject({ answer: "allow_once", asking: { because: "answered" } });
  const { attempts } = (await owner.get(`/api/v1/executions/${executionId}/attempts`)).body.data;
  expect(attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["asked", "succeeded"]);
  const told = await (await agent.follow(executionId)).rest();
  expect(told.map(({ id, event }) => `${id} ${event}`)).toEqual([
    "1-1 execution.queued",
    "1-2 execution.awaiting_approval",
    "2-1 execution.queued",
    "2-2 execution.started",
    "2-3 execution.log",
    "2-4 execution.succeeded",
  ]);
});

test("a person may deny what the code asked about, and calls without being asked", async () => {
  const asked = await sent("pay", { usd: 500 });
  expect((await answer(asked.id, "deny", { reason: "too dear" })).status).toBe(200);
  expect(await settled(asked.id)).toMatchObject({
    status: "denied",
    error: { code: "approval.denied", message: expect.stringContaining("too dear") },
  });
  expect((await call("pay", { usd: 500 }, owner)).body.data.result).toEqual({ usd: 500 });
});

test("a batch's calls are decided one by one, each in its turn", async () => {
  const executions = [10, 1_000].map((usd) => ({ tool: "pay", arguments: { usd } }));
  const { body } = await agent.post("/api/v1/executions/batch", { executions });
  const ids: string[] = body.data.executions.map((one: { executionId: string }) => one.executionId);
  const ended = await Promise.all(ids.map(settled));
  expect(ended.map(({ status }) => status)).toEqual(["succeeded", "awaiting_approval"]);
});

test("a call that a tool makes for an agent is refused where the called tool's code would ask", async () => {
  expect((await call("payer", { usd: 1 })).body.data.result).toEqual({ usd: 1 });
  const refused = (await call("payer", { usd: 1_000 })).body.data.result;
  expect(refused).toContain("confirmation, as its own code says");
  expect((await call("payer", { usd: 1_000 }, owner)).body.data.result).toEqual({ usd: 1_000 });
});

test("what the tenant says stands above the code, and a standing approval spares the question", async () => {
  await createTool(owner, "send", "return args.usd;", { parameters, approvalCode: ABOVE_100 });
  await settings({ tools: { send: "ask", payer: "preApproved" } });
  const asked = (await call("send", { usd: 1 }, agent, { mode: "async" })).body.data;
  expect(asked.status).toBe("awaiting_approval");
  expect(await approvalOf(asked.executionId)).not.toHaveProperty("asking");
  await settings({ tools: { send: "blocked", payer: "preApproved" } });
  expect((await call("send", { usd: 1 })).body.code).toBe("tool.blocked");
  await settings({ tools: { send: "preApproved", payer: "preApproved" } });
  const large = await sent("send", { usd: 200 });
  expect(large.status).toBe("awaiting_approval");
  expect((await answer(large.id, "allow-always", { argument: "/usd", pattern: "2*" })).status).toBe(200);
  expect((await call("send", { usd: 222 })).body.data.result).toBe(222);
  expect((await sent("send", { usd: 333 })).status).toBe("awaiting_approval");
});

test("a client of MCP is held while a person is asked, and gets the result", async () => {
  const client = await connectMcp(product, agent, "auto");
  const [tool] = (await client.listTools()).tools.filter(({ name }) => name === "pay");
  expect(tool?.inputSchema.properties).toHaveProperty("usd");
  const small = await client.callTool({ name: "pay", arguments: { usd: 7 } });
  expect(small.content).toEqual([{ type: "text", text: '{"usd":7}' }]);
  const large = client.callTool({ name: "pay", arguments: { usd: 7_000 } });
  const waiting = await until(
    async () => {
      const { approvals } = (await owner.get("/api/v1/approvals")).body.data;
      return approvals.find((one: { arguments: { usd: number } }) => one.arguments.usd === 7_000) ?? null;
    },
    { what: "the call waits" },
  );
  expect((await owner.post(`/api/v1/approvals/${waiting.id}/allow-once`)).status).toBe(200);
  expect((await large).content).toEqual([{ type: "text", text: '{"usd":7000}' }]);
});

test("code that gives no answer has a person asked, and the approval says why", async () => {
  const HOSTILE: [approvalCode: string, why: RegExp][] = [
    ["throw new Error(`no ${args.usd}`);", /no 1/],
    ["for (;;);", /./],
    ["await new Promise(() => {}); return false;", /./],
    ['return "false";', /"false", which is neither true nor false/],
    ["if (args.usd < 0) return false;", /neither true nor false/],
    ["const all = []; for (;;) all.push(new Array(100_000).fill(all.length));", /./],
    ['return "x".repeat(1_000_000);', /./],
    ['await fetch("https://example.com/"); return false;', /fetch/],
    ['await utils.callTool("payer", {}); return false;', /no effects/],
  ];
  const tried = everyNth(HOSTILE, 3);
  const asked = await Promise.all(
    tried.map(async ([approvalCode]) => {
      const { id } = await createTool(owner, nextName(), "return 1;", { parameters, approvalCode });
      return sent(id, { usd: 1 });
    }),
  );
  for (const [place, { status, approval }] of asked.entries()) {
    const [code, why] = tried[place] ?? expect.fail("one more");
    expect(status, code).toBe("awaiting_approval");
    expect(approval.asking, code).toMatchObject({ because: "failed", message: expect.stringMatching(why) });
  }
});

let named = 0;
const nextName = (): string => `guarded_${(named += 1)}`;

test("code changes nothing of the call that it looks at, and can't change what its answer means", async () => {
  const changing = "args.usd = 0; args.to.push('thief'); delete args.note; args = null; return false;";
  const { id } = await createTool(owner, nextName(), "return args;", { parameters, approvalCode: changing });
  const args = { usd: 5, to: ["ann"], note: "n" };
  expect(await sent(id, args)).toMatchObject({ status: "succeeded", result: args, arguments: args });
  const tricks =
    "Object.prototype.toJSON = () => false; JSON.stringify = () => 'false'; Promise.prototype.then = null; return true;";
  const tricky = await createTool(owner, nextName(), "return 1;", { parameters, approvalCode: tricks });
  expect((await sent(tricky.id, args)).status).toBe("awaiting_approval");
});

test("it is a part of the version, which its hash and its difference show, and is checked as code is", async () => {
  const name = nextName();
  const made = await createTool(owner, name, "return 1;", { parameters, approvalCode: ABOVE_100 });
  expect(made).toMatchObject({ version: 1, approvalCode: ABOVE_100 });
  const path = `${TOOLS}/${name}`;
  const changed = (await owner.patch(path, { approvalCode: "return true;" })).body.data;
  expect(changed).toMatchObject({ version: 2, approvalCode: "return true;" });
  expect(changed.contentHash).not.toBe(made.contentHash);
  expect((await owner.get(`${path}/versions/2/diff`)).body.data.changes).toEqual([
    { field: "approvalCode", before: ABOVE_100, after: "return true;" },
  ]);
  const pinned = await call(name, { usd: 1 }, agent, { version: 1 });
  expect(pinned.body.code).toBe("tool.version_not_approved");
  const definitions = async () =>
    (await agent.get(`${TOOLS}/active/definitions`)).body.data.tools.find(
      (tool: { name: string }) => tool.name === name,
    );
  expect((await definitions()).requiresConfirmation).toBe(true);
  const gone = (await owner.patch(path, { approvalCode: null })).body.data;
  expect(gone).toMatchObject({ version: 3 });
  expect(gone).not.toHaveProperty("approvalCode");
  for (const approvalCode of [
    "return process.exit();",
    "args.usd > 1;",
    "(args) => args.usd > 1",
    "return (",
  ]) {
    const refused = await owner.patch(path, { approvalCode });
    expect([refused.status, refused.body.code]).toEqual([400, "tool.code_invalid"]);
    expect(refused.body.errors[0].path).toBe("approvalCode");
  }
  const idle = (await owner.patch(path, { approvalCode: ABOVE_100, approval: "ask" })).body.data;
  expect(idle.warnings).toEqual([expect.stringContaining("approvalCode has no effect")]);
});
