import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import type { Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let other: Client;

const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;

beforeAll(async () => {
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
  await settings({ approval: { default: "ask", tools: { exec: "preApproved", process: "preApproved" } } });
});

const settings = (changed: object) => owner.patch("/api/v1/tenant/settings", changed);
const call = (client: Client, tool: string, args: object, context: object = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, context });
const run = async (tool: string, args: object, context: object = {}) =>
  (await call(agent, tool, args, context)).body.data;

test("an agent runs a command over its workspace, an execution with a bill; what is secret is covered in both", async () => {
  product.showLogsIfTestFails();
  const told = `echo token ${VENDOR_TOKEN} | tee s.md`;
  const made = await run("exec", { command: `mkdir src; printf 'b\\na\\n' > src/names; ${told}` });
  expect(made.result).toMatchObject({ stdout: "token [REDACTED]\n", covered: true });
  expect((await owner.get("/api/v1/files/s.md?agentId=one")).body).toBe("token [REDACTED]\n");
  const sorted = await run("exec", { command: "sort names | tee sorted; exit 2", cwd: "src" });
  expect(sorted).toMatchObject({
    status: "succeeded",
    result: { stdout: "a\nb\n", exitCode: 2, engine: "virtual", timedOut: false, written: 1, unsaved: [] },
    metadata: { usage: { capabilityCalls: 1, networkRequests: 0 } },
  });
  expect((await owner.get("/api/v1/files/src/sorted?agentId=one")).body).toBe("a\nb\n");
});

test.each([
  ["exec", {}, /required/],
  ["exec", { command: "" }, /command/],
  ["exec", { command: "x", timeoutMs: 300_001 }, /timeoutMs/],
  ["exec", { command: "x", shell: "zsh" }, /additional|unknown|not allowed/i],
  ["process", {}, /required/],
  ["process", { action: "kill" }, /action/],
  ["process", { action: "output", since: -1 }, /since/],
])("%s refuses what its schema does not allow: %#", async (tool, args, message) => {
  const { status, body } = await call(agent, tool, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

test.each([
  ["exec", { command: "pwd", cwd: "none" }, /no folder none/],
  ["exec", { command: "pwd", cwd: "../.." }, /path/],
  ["process", { action: "start" }, /command/],
  ["process", { action: "output", id: "prc_0" }, /no command prc_0/],
  ["process", { action: "list", text: "x" }, /text/],
])("%s of %j fails in words that a model can use", async (tool, args, message) => {
  const { status, error } = await run(tool, args);
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  expect(error.message).toMatch(message);
});

test("a command in the background is there for whoever began it, over any number of calls", async () => {
  const ann = { userId: "ann" };
  const { id } = (await run("process", { action: "start", command: "cat; echo x > mine", stdin: "in" }, ann))
    .result;
  const seen = async () => (await run("process", { action: "output", id }, ann)).result;
  await expect.poll(async () => (await seen()).status, { timeout: 20_000 }).toBe("ended");
  expect(await seen()).toMatchObject({ output: "in", exitCode: 0, written: 1 });
  const listed = async (client: Client, context: object) =>
    (await call(client, "process", { action: "list" }, context)).body.data.result.processes.map(
      (one: { id: string }) => one.id,
    );
  expect(await listed(agent, ann)).toEqual([id]);
  expect([await listed(agent, {}), await listed(agent, { userId: "bob" }), await listed(other, ann)]).toEqual(
    [[], [], []],
  );
  const { one: stranger } = await newAgentTenant(product);
  const asked = await call(stranger, "process", { action: "output", id }, ann);
  expect(asked.status).toBe(202);
});

test("[G9] a tool with the permission shell has utils.exec", async () => {
  const created = await owner.post("/api/v1/custom-tools", {
    name: "count_lines",
    description: "Counts lines.",
    parameters: { type: "object", properties: {} },
    code: `const { stdout } = await utils.exec("wc -l; echo $A > $HOME/a", { stdin: "x\\ny\\n", env: { A: "1" }, timeoutMs: 5_000 });
      const refused = await utils.exec("x", { cwd: "none" }).catch((error) => error.code);
      const wrong = await utils.exec("x", { user: "root" }).catch((error) => error.code);
      return { stdout, refused, wrong };`,
    permissions: ["shell"],
  });
  expect([created.status, created.body.data.warnings ?? []]).toEqual([201, []]);
  const done = await owner.post("/api/v1/custom-tools/count_lines/execute", { arguments: {} });
  expect(done.body.data.result).toEqual({ stdout: "2\n", refused: "not_found", wrong: "invalid_request" });
});

test("an agent's call waits for a person without a word of its name", async () => {
  await settings({ approval: { default: "preApproved", tools: {} } });
  expect((await call(agent, "exec", { command: "echo" })).status).toBe(202);
  await settings({ approval: { default: "ask", tools: { exec: "preApproved", process: "preApproved" } } });
  const rules = [{ tool: "exec", argument: "/command", pattern: "rm *", decision: "blocked" }];
  await settings({ approval: { rules } });
  expect((await call(agent, "exec", { command: "rm -rf src" })).body.code).toBe("tool.blocked");
  expect((await call(agent, "exec", { command: "ls" })).body.data.status).toBe("succeeded");
  await settings({ approval: { rules: [] } });
});

test("the policy shows it to models by name or group, and takes it away", async () => {
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  const definitions = async () =>
    (await agent.get("/api/v1/custom-tools/active/definitions")).body.data.tools.map(
      ({ name }: { name: string }) => name,
    );
  await put({ allow: ["group:runtime"] });
  expect((await definitions()).toSorted()).toEqual(["exec", "process"]);
  await put({ deny: ["exec"] });
  expect(await definitions()).not.toContain("exec");
  expect((await call(agent, "exec", { command: "echo" })).body.code).toBe("tool.not_found");
  await put({});
});

test("commands are turned off by an owner, and real programs turned on by the administrator alone", async () => {
  const refused = await settings({ shell: { engine: "namespaces" } });
  expect([refused.status, refused.body.code]).toEqual([403, "shell.namespaces_admin_only"]);
  expect((await settings({ shell: { engine: "bash" } })).status).toBe(400);
  const exec = async () => (await owner.get("/api/v1/me")).body.data.features.exec;
  const engine = async () =>
    (await owner.get("/api/v1/built-in-tools")).body.data.tools.find(
      ({ name }: { name: string }) => name === "exec",
    );
  expect([await exec(), (await engine()).engine]).toEqual([true, { available: true, missing: null }]);
  expect(await engine()).toMatchObject({ group: "runtime", permission: "shell", letBy: "name" });
  await settings({ shell: { engine: "off" } });
  expect([await exec(), (await engine()).engine.available]).toEqual([false, false]);
  expect((await run("exec", { command: "echo" })).error.message).toMatch(/settings turn commands off/);
  expect((await run("process", { action: "start", command: "echo" })).error.message).toMatch(
    /turn commands off/,
  );
  const { entries } = (await owner.get("/api/v1/audit?action=tenant.settings_updated")).body.data;
  expect(JSON.stringify(entries)).toContain('"shell"');
  await settings({ shell: { engine: "virtual" } });
});
