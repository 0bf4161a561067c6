import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import type { Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;

const SECRET = "correct-horse-battery-staple";
const parameters = {
  type: "object",
  properties: { a: {}, b: {}, file: { type: "string" } },
};

beforeAll(async () => {
  ({ owner, one: agent } = await newAgentTenant(product));
});

const TOOLS = "/api/v1/custom-tools";
const record = (name: string, fields: object = {}) => ({
  name,
  description: "Runs a command.",
  parameters,
  ...fields,
});
const create = (name: string, fields: object) => owner.post(TOOLS, record(name, fields));
const put = (name: string, fields: object) =>
  fetch(`${product.url}${TOOLS}/${name}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
    body: JSON.stringify(record(name, fields)),
  }).then(
    (answer) => answer.json() as Promise<{ data: { changed: boolean; version: number; command?: string } }>,
  );
const execute = async (name: string, args: object = {}, client: Client = owner, context: object = {}) =>
  (await client.post(`${TOOLS}/${name}/execute`, { arguments: args, context })).body.data;

test("[G11] a tool with a command is shown, called, billed and listed like any other", async () => {
  product.showLogsIfTestFails();
  const { status, body } = await create("say", {
    command: "printf '%s|%s|' {{.a}} x{{ .b }}y; echo ended >&2",
    approval: "preApproved",
    timeoutSeconds: 20,
  });
  expect([status, body.data.warnings ?? []]).toEqual([201, []]);
  expect(body.data).toMatchObject({
    command: "printf '%s|%s|' {{.a}} x{{ .b }}y; echo ended >&2",
    timeoutSeconds: 20,
    code: "",
    permissions: ["shell"],
    limits: { wallMs: 20_000 },
  });
  const hostile = `it's "$(id)" \`id\` ; & | > x \\ \n *.md $HOME 'end`;
  const done = await execute("say", { a: hostile, b: { c: [1.5, true] } }, agent);
  expect(done).toMatchObject({
    status: "succeeded",
    result: `${hostile}|x{"c":[1.5,true]}y|`,
    metadata: { usage: { capabilityCalls: 1 } },
  });
  expect((await execute("say")).result).toBe("|xy|");
  const refused = await execute("say", { a: "a\0b" });
  expect(refused.error).toMatchObject({ code: "tool.threw", message: expect.stringContaining("argument a") });
  const { data } = (await owner.get(`${TOOLS}/say/versions/1`)).body;
  expect(data).toMatchObject({ command: body.data.command, code: "" });
});

test.each([
  [{ command: "echo '{{.a}}'" }, "command"],
  [{ command: "echo {{.c}}" }, "command"],
  [{ command: "rm -rf /{{.a}}" }, "command"],
  [{ command: "echo", code: "return 1" }, "code"],
  [{}, "code"],
  [{ code: "return 1", env: { A: "b" } }, "env"],
  [{ command: "echo", timeoutSeconds: 301 }, "timeoutSeconds"],
  [{ command: "echo", timeoutSeconds: 5, limits: { wallMs: 6_000 } }, "timeoutSeconds"],
  [{ command: "echo", env: { "A-B": "x" } }, "env"],
  [{ command: "echo", permissions: ["network"] }, "permissions"],
  [{ command: "echo", allowedHosts: ["a.example"] }, "allowedHosts"],
])("%j is refused, and the field is named", async (fields, path) => {
  const { status, body } = await create("wrong", fields);
  expect(status).toBe(400);
  expect(JSON.stringify(body.errors)).toContain(`"${path}`);
});

test("values of variables go to the command alone, and are covered in what it says", async () => {
  const { body } = await create("use_key", {
    command: 'echo "key $KEY"; echo "log $KEY" >&2',
    env: { KEY: SECRET, MODE: "on" },
  });
  expect(body.data.env).toEqual({ KEY: null, MODE: null });
  expect(body.data.warnings).toEqual([expect.stringContaining("env.MODE")]);
  const done = await execute("use_key", { a: SECRET });
  expect(done.result).toBe("key [REDACTED]");
  const events = await owner.get(`/api/v1/executions/${done.executionId}/logs`);
  expect(JSON.stringify([events.body, done])).not.toContain(SECRET);
  const { version } = body.data;
  const same = await put("use_key", {
    command: 'echo "key $KEY"; echo "log $KEY" >&2',
    env: { KEY: SECRET, MODE: null },
  });
  expect([same.data.changed, same.data.version]).toEqual([false, version]);
  const kept = await put("use_key", { command: 'echo "now $KEY$MODE"' });
  expect(kept.data).toMatchObject({ changed: true, env: { KEY: null, MODE: null } });
  expect((await execute("use_key")).result).toBe("now [REDACTED]on");
  const fewer = await owner.patch(`${TOOLS}/use_key`, { env: { MODE: null, NEW: null } });
  expect(fewer.body.data.env).toEqual({ MODE: null, NEW: null });
  const unset = await execute("use_key");
  expect([unset.status, unset.error.message]).toEqual(["failed", expect.stringContaining("NEW")]);
  const back = await owner.post(`${TOOLS}/use_key/versions/${version}/restore`, {});
  expect(back.status).toBeLessThan(300);
  expect((await execute("use_key")).result).toBe("key [REDACTED]");
});

const tryOut = async (fields: object) => {
  const { status, body } = await owner.post(`${TOOLS}/test`, { parameters, ...fields });
  return { status, warnings: body.warnings, errors: body.errors, ...body.data };
};

test("a command that is not stored is tried out, with the values that its tool has", async () => {
  const said = await tryOut({
    name: "not_there",
    command: "printf '%s' {{.a}}; echo $KEY >&2",
    timeoutSeconds: 9,
    env: { KEY: SECRET, MODE: "on" },
    testArguments: { a: "it's " },
  });
  expect(said).toMatchObject({ status: "succeeded", result: "it's " });
  expect(JSON.stringify(said.warnings)).toContain("env.MODE");
  expect(JSON.stringify(said)).not.toContain(SECRET);
  await create("has_key", { command: "echo $KEY", env: { KEY: SECRET } });
  const other = { command: "printf '%s' $KEY | wc -c", env: { KEY: null } };
  expect(await tryOut({ name: "has_key", ...other })).toMatchObject({ result: String(SECRET.length) });
  for (const asked of [{ name: "has_no_key" }, { name: "has_key", agentId: "another" }])
    expect((await tryOut({ ...other, ...asked })).error.message).toContain("variable KEY");
  for (const [wrong, path] of [
    [{ command: "echo '{{.a}}'" }, "command"],
    [{ command: "echo", code: "return 1" }, "code"],
    [{}, "code"],
    [{ code: "return 1", env: { A: "b" } }, "env"],
  ] as const)
    expect(JSON.stringify((await tryOut({ name: "wrong", ...wrong })).errors)).toContain(`"${path}`);
});

test("a dry run shows the line that would run, and a recorded one what is recorded for it", async () => {
  const command = "printf '%s' {{.a}} > {{.file}}; echo $KEY";
  const made = await create("write", { command, env: { KEY: SECRET }, outputSchema: { type: "object" } });
  const args = { a: "it's", file: "never.md" };
  const evidence = `${TOOLS}/${made.body.data.id}/versions/1/evidence`;
  expect((await owner.post(evidence, { arguments: args })).status).toBeLessThan(300);
  const line = `printf '%s' 'it'\\''s' > 'never.md'; echo $KEY`;
  await expect
    .poll(async () => (await owner.get(evidence)).body.data, { timeout: 10_000 })
    .toMatchObject({
      running: false,
      seen: [{ kind: "capability", target: `shell.exec ${line}` }],
      dryRuns: [{ status: "succeeded", result: line }],
    });
  const commands = [{ command: line, stdout: '{"n": 1}\n' }];
  const tried = { name: "write", command, testArguments: args, outputSchema: { type: "object" } };
  expect((await tryOut({ ...tried, recorded: { commands } })).result).toEqual({ n: 1 });
  const refused = await tryOut({ ...tried, recorded: {} });
  expect(refused.error).toMatchObject({ message: expect.stringContaining(`of the command ${line}`) });
  expect((await owner.get("/api/v1/files/never.md")).status).toBe(404);
});

test("data and failures are told as a tool's", async () => {
  await create("give", { command: "printf '%s' {{.a}}", outputSchema: { type: "object" } });
  expect((await execute("give", { a: { n: 1 } })).result).toEqual({ n: 1 });
  expect((await execute("give", { a: "no json" })).error.code).toBe("tool.output_invalid");
  await create("fail", { command: "echo begun; echo why {{.a}} >&2; exit 3" });
  const failed = await execute("fail", { a: "it failed" });
  expect([failed.status, failed.error]).toEqual([
    "failed",
    { code: "tool.threw", message: "The command ended with exit code 3: why it failed" },
  ]);
});

test.runIf(isNightly)("a command that takes longer than its time is timed out", async () => {
  await create("wait", { command: "sleep 30", timeoutSeconds: 1 });
  const late = await execute("wait");
  expect([late.status, late.error.code]).toEqual(["timed_out", "tool.wall_limit"]);
});

test("it works on the files of whoever calls, and of nobody else", async () => {
  await create("keep", { command: "mkdir -p notes; printf '%s' {{.a}} > notes/{{.file}}" });
  await create("show", { command: "cat -- {{.file}}", workingDirectory: "notes" });
  const [ann, bob] = [{ userId: "ann" }, { userId: "bob" }];
  await execute("keep", { a: "hers", file: "it's.md" }, owner, ann);
  expect((await execute("show", { file: "it's.md" }, owner, ann)).result).toBe("hers");
  expect((await execute("show", { file: "it's.md" }, owner, bob)).error.message).toContain("no folder notes");
  const { owner: stranger } = await newAgentTenant(product);
  expect((await stranger.get(`${TOOLS}/show`)).status).toBe(404);
});

test("agents' calls wait where its settings say so, and a model's tool waits for a person", async () => {
  await create("ask_first", { command: "echo {{.a}}", approval: "ask" });
  expect((await agent.post(`${TOOLS}/ask_first/execute`, { arguments: {} })).status).toBe(202);
  const made = await create("by_model", { command: "echo {{.a}}", createdBy: "llm" });
  expect(made.body.data.status).toBe("pending_approval");
});

test("it goes out and comes in as a folder, without its values", async () => {
  await create("travel", { command: "echo {{.a}} $KEY", env: { KEY: SECRET }, workingDirectory: "x" });
  const { tools } = (await owner.get(`${TOOLS}/export?names=travel`)).body.data;
  expect(tools.travel).toEqual({
    "manifest.json": expect.objectContaining({
      command: "echo {{.a}} $KEY",
      env: { KEY: null },
      workingDirectory: "x",
    }),
  });
  const again = await owner.post(`${TOOLS}/import?existing=update`, { tools });
  expect(again.body.data).toMatchObject({ unchanged: 1 });
  const { owner: other } = await newAgentTenant(product);
  const there = await other.post(`${TOOLS}/import`, { tools });
  expect(there.body.data.tools[0]).toMatchObject({
    outcome: "created",
    warnings: [expect.stringContaining("env.KEY")],
  });
});

test("a tool may go from code to a command and back, and calls of it by tools are calls", async () => {
  await owner.post(TOOLS, record("turn", { code: "return 1", permissions: ["network"] }));
  const turned = await put("turn", { command: "echo {{.a}}" });
  expect(turned.data).toMatchObject({ command: "echo {{.a}}", code: "", permissions: ["shell"] });
  await owner.post(TOOLS, record("caller", { code: `return utils.callTool("turn", { a: "x y" });` }));
  expect((await execute("caller")).result).toBe("x y");
  const back = await put("turn", { code: "return 2" });
  expect(back.data.command).toBeUndefined();
  expect((await execute("turn")).result).toBe(2);
});

test("commands that are turned off are refused", async () => {
  await create("off", { command: "echo on" });
  await owner.patch("/api/v1/tenant/settings", { shell: { engine: "off" } });
  expect((await execute("off")).error.message).toContain("shell.engine");
});
