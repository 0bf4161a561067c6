import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTool, meta, newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { createTool, type Answer, type Client } from "../support/client.ts";
import { shutGate } from "../support/gate.ts";

const TOOLS = "/api/v1/custom-tools";
const POLICY = "/api/v1/policy";
/** Those of the platform that any tool may call. */
const FREE = ["canvas", "tts"];
/** Looks like a tool's id, and is none's. */
const NOBODYS = `tool_${"0".repeat(16)}`;

const product = await sharedProduct();
let tenant: AgentTenant;
/** The id of the tool that agent "one" is denied, and a call of it from before. */
let hidden: string;
let earlier: string;

const putPolicy = (client: Client, policy: object, headers: Record<string, string> = {}) =>
  client.raw("PUT", POLICY, JSON.stringify(policy), { "content-type": "application/json", ...headers });
const run = (client: Client, tool: string, body: object = {}) =>
  client.post(`${TOOLS}/${tool}/execute`, body);
const namesIn = (tools: { name: string }[]) => tools.map(({ name }) => name).toSorted();

/** An answer without what differs between any two. */
const told = ({ status, body }: Answer) => {
  const { meta: _meta, instance: _instance, ...problem } = body;
  return { status, problem };
};

beforeAll(async () => {
  tenant = await newAgentTenant(product);
  const { owner, one } = tenant;
  await createTool(owner, "open", "return 1");
  hidden = (await createTool(owner, "hidden", "return 1")).id;
  await createTool(
    owner,
    "nested",
    "return { listed: (await utils.listTools()).map(({ name }) => name), called: await utils.callTool(args.tool, {}).catch(({ message }) => message) }",
    { parameters: { type: "object", properties: { tool: { type: "string" } } } },
  );
  earlier = (await run(one, "hidden")).body.data.executionId;
  expect(await putPolicy(owner, { agents: { one: { deny: ["hidden"] } } })).toMatchObject({ status: 200 });
});

describe("[R54] a tool that an agent is denied", () => {
  const DOORS: [string, (client: Client, tool: string) => Promise<Answer>][] = [
    ["execute", (client, tool) => run(client, tool)],
    ["a read", (client, tool) => client.get(`${TOOLS}/${tool}`)],
    ["call_tool", (client, tool) => meta(client, "call_tool", { name: tool })],
    ["its versions", (client, tool) => client.get(`${TOOLS}/${tool}/versions`)],
    [
      "toggle_custom_tool",
      (client, tool) => meta(client, "toggle_custom_tool", { name: tool, enabled: true }),
    ],
    ["update_tool", (client, tool) => meta(client, "update_tool", { name: tool, description: "x" })],
    ["delete_custom_tool", (client, tool) => meta(client, "delete_custom_tool", { name: tool })],
  ];

  test.each(DOORS)("is not there for %s", async (_door, ask) => {
    const nothing = told(await ask(tenant.one, NOBODYS));
    expect(nothing.status).toBe(404);
    expect(told(await ask(tenant.one, hidden))).toEqual(nothing);
    expect(told(await ask(tenant.one, "hidden"))).toEqual(told(await ask(tenant.one, "nothing")));
    expect((await ask(tenant.two, "hidden")).status).not.toBe(404);
  });

  test("is not there in a batch, nor for a call that a person makes for the agent", async () => {
    const { one, owner } = tenant;
    const batch = async (client: Client, context: object) => {
      const executions = ["hidden", "nothing", "open"].map((tool) => ({ tool, context }));
      const { body } = await client.post("/api/v1/executions/batch", { executions });
      return body.data.executions;
    };
    for (const [first, second, third] of [await batch(one, {}), await batch(owner, { agentId: "one" })]) {
      expect(first.error).toMatchObject({ code: "tool.not_found" });
      expect(first).toEqual(second);
      expect(third).toMatchObject({ status: "queued" });
    }
    expect((await run(owner, "hidden", { context: { agentId: "one" } })).status).toBe(404);
    expect((await run(owner, "hidden")).status).toBe(200);
  });

  test("is in no list, search, count, export or definition for it", async () => {
    const { one, two } = tenant;
    const lists = async (client: Client) => {
      const data = async (answer: Promise<Answer>) => (await answer).body.data;
      return {
        list: namesIn((await data(client.get(TOOLS))).tools),
        count: (await data(client.get(`${TOOLS}?search=hidden`))).count,
        stats: (await data(client.get(`${TOOLS}/stats`))).total,
        exported: Object.keys((await data(client.get(`${TOOLS}/export`))).tools).toSorted(),
        definitions: namesIn((await data(client.get(`${TOOLS}/active/definitions`))).tools),
        listed: namesIn((await data(meta(client, "list_custom_tools", {}))).tools),
        searched: namesIn((await data(meta(client, "search_tools", { query: "hidden" }))).tools),
        described: (await data(meta(client, "describe_tools", { names: ["hidden"] }))).notFound,
      };
    };
    const [seen, left] = [
      ["hidden", "nested", "open"],
      ["nested", "open"],
    ];
    const of = (names: string[]) => ({ list: names, exported: names, definitions: names, listed: names });
    expect(await lists(two)).toEqual({
      ...of(seen),
      count: 1,
      stats: 3,
      searched: ["hidden"],
      described: undefined,
    });
    expect(await lists(one)).toEqual({
      ...of(left),
      count: 0,
      stats: 2,
      searched: [],
      described: ["hidden"],
    });
    const named = await one.get(`${TOOLS}/export?names=hidden`);
    expect(named.status).toBe(404);
  });

  test("is in no list of MCP, and no call by it finds it", async () => {
    const { one, two } = tenant;
    const [ones, twos] = await Promise.all([
      connectMcp(product, one, "auto"),
      connectMcp(product, two, "auto"),
    ]);
    expect(namesIn((await twos.listTools()).tools)).toContain("hidden");
    expect(namesIn((await ones.listTools()).tools)).toEqual(["get_execution", "nested", "open"]);
    await expect(ones.callTool({ name: "hidden" })).rejects.toThrow("Unknown tool: hidden");
    await expect(ones.callTool({ name: "nothing" })).rejects.toThrow("Unknown tool: nothing");
    expect((await twos.callTool({ name: "hidden" })).isError).not.toBe(true);
  });

  test("is not there for a model that says in the arguments of MCP's own tools who asks", async () => {
    const { owner, two } = tenant;
    const before = (await owner.get(POLICY)).body.data;
    const groupAllow = { guests: ["run_code", "open"], staff: ["run_code", "open", "hidden"] };
    await putPolicy(owner, { ...before, groupAllow });
    const client = await connectMcp(product, two, "auto");
    const asked: [string, object][] = [
      ["run_code", { code: "return (await utils.listTools()).map(({ name }) => name)" }],
      ["search_tools", { query: "hidden" }],
      ["describe_tools", { names: ["hidden"] }],
    ];
    const ask = async (name: string, args: object, group: string) => {
      const _meta = { "bulkhead/context": { group } };
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args }, _meta });
      return { isError, said: JSON.stringify(content) };
    };
    for (const [name, args] of asked) {
      const forged = await ask(name, { ...args, context: { group: "staff" } }, "guests");
      expect(forged).toEqual({ isError: true, said: expect.stringContaining("arguments_invalid") });
      const shown = [await ask(name, args, "staff"), await ask(name, args, "guests")];
      expect(shown.map(({ isError }) => isError)).toEqual([false, false]);
      expect(shown[0]?.said).toMatch(/hidden/);
      expect(shown[1]?.said).not.toMatch(/"hidden\\?",|function hidden/);
    }
    await putPolicy(owner, before);
  });

  test("is not there for tools and scripts that run for it", async () => {
    const { one, two } = tenant;
    const nested = async (client: Client) =>
      (await run(client, "nested", { arguments: { tool: "hidden" } })).body.data.result;
    const none = 'There is no tool "hidden".';
    expect(await nested(one)).toEqual({ listed: ["open", ...FREE], called: none });
    expect(await nested(two)).toEqual({ listed: ["hidden", "open", ...FREE], called: 1 });
    const code = "return (await utils.listTools()).map(({ name }) => name)";
    expect((await meta(one, "run_code", { code })).body.data.result).toEqual(["nested", "open", ...FREE]);
  });

  test("is not there for replays and schedules of its calls", async () => {
    const { one, owner } = tenant;
    const replay = await one.post(`/api/v1/executions/${earlier}/replay`);
    expect(replay).toMatchObject({ status: 409, body: { code: "execution.not_replayable" } });
    const plan = { tool: hidden, arguments: {}, everyMs: 3_600_000 };
    const forOne = { ...plan, context: { agentId: "one" } };
    expect((await owner.post("/api/v1/schedules", forOne)).status).toBe(404);
    const made = await owner.post("/api/v1/schedules", { ...plan, context: { agentId: "two" } });
    const path = `/api/v1/schedules/${made.body.data.id}`;
    expect((await owner.post(`${path}/run`)).status).toBe(202);
    await owner.patch(path, { context: { agentId: "one" } });
    expect((await owner.post(`${path}/run`)).status).toBe(404);
  });

  test("[R55] is explained to people, and to no agent", async () => {
    const { one, owner } = tenant;
    const body = { agentId: "one", policy: { allow: ["hidden"] } };
    const { data } = (await owner.post(`${POLICY}/explain`, body)).body;
    expect(data.tools.find(({ name }: { name: string }) => name === "hidden")).toEqual({
      name: "hidden",
      status: "active",
      allowed: false,
      step: "agents.one.deny",
      entry: "hidden",
      why: 'not allowed: "hidden" in agents.one.deny',
      candidate: { allowed: true, why: "allowed: no list of the policy takes it" },
    });
    expect(data.changes).toMatchObject({ given: 1 });
    const { id } = await createTool(owner, "switched_off", "return 1");
    expect((await owner.post(`${TOOLS}/${id}/disable`)).status).toBe(200);
    const { tools } = (await owner.post(`${POLICY}/explain`, { agentId: "one" })).body.data;
    expect(tools.find(({ name }: { name: string }) => name === "switched_off")).toEqual({
      name: "switched_off",
      status: "disabled",
      allowed: true,
      why: "disabled, so it does not run; allowed: no list of the policy takes it",
    });
    await owner.delete(`${TOOLS}/${id}`);
    for (const path of [POLICY, `${POLICY}/explain`])
      expect((path === POLICY ? await one.get(path) : await one.post(path, {})).status).toBe(403);
  });
});

test("the provider and the group that a request names are heard, as is what is forbidden and how deep a subagent asks", async () => {
  const { none, owner } = await newAgentTenant(product);
  for (const name of ["a", "b", "c"]) await createTool(owner, name, "return context.provider ?? null");
  const policy = {
    byProvider: { small: { allow: ["a", "b", "c"] } },
    groupAllow: { team: ["b"] },
    subagents: { deny: ["a"] },
    forbid: ["c", "create_tool"],
  };
  expect((await putPolicy(owner, policy)).status).toBe(200);
  const seen = async (query: string, headers: Record<string, string> = {}) =>
    namesIn((await none.get(`${TOOLS}/active/definitions${query}`, headers)).body.data.tools);
  expect(await seen("")).toEqual(["a", "b"]);
  expect(await seen("", { "bulkhead-group": "team" })).toEqual(["b"]);
  expect(await seen("?subagentDepth=1")).toEqual(["b"]);
  const calls = (context: object, headers: Record<string, string>) =>
    none.post(`${TOOLS}/a/execute`, { context }, headers);
  const small = { "bulkhead-provider": "small" };
  expect((await calls({}, small)).body.data.result).toBe("small");
  expect((await calls({ provider: "other" }, small)).body.data.result).toBe("other");
  expect((await calls({ subagentDepth: 1 }, small)).status).toBe(404);
  expect((await calls({}, { "bulkhead-group": "x".repeat(129) })).body).toMatchObject({
    code: "request.invalid",
    errors: [{ path: "bulkhead-group" }],
  });
  const metaTools = namesIn((await none.get("/api/v1/meta-tools/definitions")).body.data.tools);
  expect(metaTools).not.toContain("create_tool");
  expect(metaTools).toContain("search_tools");
  const nothing = told(await meta(none, "no_such_tool", {}));
  expect(told(await makeTool(none, "mine"))).toEqual(
    JSON.parse(JSON.stringify(nothing).replaceAll("no_such_tool", "create_tool")),
  );
});

test("a document is read, put over the version that was seen, and audited; what it can't mean is told by its place", async () => {
  const { owner } = await newAgentTenant(product);
  const first = await owner.get(POLICY);
  expect(first.body.data).toEqual({});
  expect(first.headers.get("etag")).toBe('"0"');
  const policy = { deny: ["?later", "zzz*"], groups: { mine: ["?later"] } };
  const put = await putPolicy(owner, policy, { "if-match": '"0"' });
  expect(put.body.data).toEqual({ ...policy, warnings: [{ path: "deny.1", message: expect.any(String) }] });
  expect(put.headers.get("etag")).toBe('"1"');
  expect((await owner.get(POLICY)).body.data).toEqual(policy);
  const late = await putPolicy(owner, {}, { "if-match": '"0"' });
  expect(late).toMatchObject({ status: 412, body: { code: "policy.precondition_failed" } });
  const wrong = await putPolicy(owner, { profile: "all", agents: { a: { allow: ["nobodys"] } }, more: 1 });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: "more" }] } });
  const agents = { a: { allow: ["nobodys", "group:no"] } };
  const unknown = await putPolicy(owner, { profile: "all", agents });
  expect(unknown.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    "profile",
    "agents.a.allow.0",
    "agents.a.allow.1",
  ]);
  const { entries } = (await owner.get("/api/v1/audit?action=policy.updated")).body.data;
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    subject: { type: "policy" },
    details: { version: 1, changed: ["deny", "groups.mine"] },
  });
});

test("a change holds from the next call on, at the API and at the worker, also for what waits to run", async () => {
  const { none, owner } = await newAgentTenant(product, { maxConcurrentExecutions: 1 });
  await createTool(owner, "inner", "return 1");
  await createTool(owner, "outer", "return await utils.callTool('inner', {}).catch(() => null)");
  await createTool(owner, "holder", "await fetch(args.url)", { permissions: ["network"] });
  const call = async () => (await run(none, "outer")).body.data.result;
  expect(await call()).toBe(1);
  await putPolicy(owner, { forbid: ["inner"] });
  expect(await call()).toBeNull();
  const gate = await shutGate();
  await run(none, "holder", { mode: "async", arguments: { url: gate.url } });
  const waiting = await run(none, "outer", { mode: "async" });
  await putPolicy(owner, { forbid: ["outer"] });
  expect((await run(none, "outer")).status).toBe(404);
  gate.open();
  const events = await (await none.follow(waiting.body.data.executionId)).rest();
  expect(events.at(-1)).toMatchObject({ event: "execution.failed" });
  await putPolicy(owner, {});
  expect(await call()).toBe(1);
});
