import { isNightly, sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import { shutGate } from "../support/gate.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  agent = await newClient(product, tenant.id, "agent");
  await createTool(owner, "double", "return { twice: args.n * 2 };", {
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
});

const run = async (name: string, args: object = {}, client = owner) =>
  (await client.post(`/api/v1/custom-tools/${name}/execute`, { arguments: args })).body.data;
const executionsOf = async (tool: string) =>
  (await owner.get(`/api/v1/executions?tool=${tool}`)).body.data.executions;
/** Runs code that catches what a call is refused with, and answers it as "code: message". */
const refusalOf = async (name: string, code: string, more: Record<string, unknown> = {}) => {
  await createTool(owner, name, `try { ${code} } catch (e) { return [e.code, e.message] }`, more);
  return (await run(name)).result;
};

describe("a tool that calls another", () => {
  test("gets its result, and the call is an execution of its own with its caller's id", async () => {
    product.showLogsIfTestFails();
    await createTool(owner, "caller", "const r = await utils.callTool('double', { n: 21 }); return r.twice;");
    const { executionId, status, result } = await run("caller");
    expect({ status, result }).toEqual({ status: "succeeded", result: 42 });
    const [nested] = await executionsOf("double");
    expect(nested).toMatchObject({
      parentId: executionId,
      status: "succeeded",
      source: "tool",
      argumentsBytes: '{"n":21}'.length,
      resultBytes: '{"twice":42}'.length,
      attempts: 1,
      endedBy: "guest",
    });
    expect((await owner.get(`/api/v1/executions/${nested.id}`)).body.data).toMatchObject({
      result: { twice: 42 },
      arguments: { n: 21 },
    });
    const caller = (await owner.get(`/api/v1/executions/${executionId}`)).body.data;
    expect(caller.traceId).toBe(nested.traceId);
    expect(caller).not.toHaveProperty("parentId");
    const events = await (await owner.follow(nested.id)).rest();
    expect(events.map(({ event }) => event)).toEqual([
      "execution.queued",
      "execution.started",
      "execution.succeeded",
    ]);
    expect((await owner.get("/api/v1/custom-tools/double")).body.data.usageCount).toBe(1);
  });

  test("may call many at once, up to its limit", async () => {
    const code = `const all = await Promise.allSettled([1, 2, 3].map((n) => utils.callTool('double', { n })));
      return all.map((one) => one.value?.twice ?? one.reason.code);`;
    await createTool(owner, "many", code, { limits: { nestedCalls: 2 } });
    expect((await run("many")).result).toEqual([2, 4, "call_limit"]);
  });

  test("hears the name, the code and the message of one that failed", async () => {
    await createTool(owner, "throws", "throw new RangeError('too far');");
    expect(await refusalOf("catches", "await utils.callTool('throws')")).toEqual([
      "tool_failed",
      'The tool "throws" ended with tool.threw: RangeError: too far (tool.js:1:7)',
    ]);
    await createTool(owner, "passes_on", "await utils.callTool('throws');");
    const { error } = await run("passes_on");
    expect(error).toEqual({
      code: "tool.threw",
      message: expect.stringMatching(/^Error: The tool "throws" ended with tool\.threw: RangeError: too far/),
    });
  });

  test("is bound by the called tool's own limits and permissions", async () => {
    await createTool(owner, "spins", "for (;;) {}", { limits: { cpuMs: 200 } });
    const [code, message] = await refusalOf("calls_spinner", "await utils.callTool('spins')");
    expect(code).toBe("tool_failed");
    expect(message).toContain("tool.cpu_limit");
    await createTool(owner, "no_network", "return typeof fetch;");
    await createTool(owner, "has_network", "return utils.callTool('no_network');", {
      permissions: ["network"],
    });
    expect((await run("has_network")).result).toBe("undefined");
  });

  test("lists what it can call, at once and without itself", async () => {
    const code = "return utils.listTools().map(({ name, parameters }) => [name, parameters.type]);";
    await createTool(owner, "lists", code, { permissions: ["network"] });
    const listed = (await run("lists")).result;
    expect(listed).toContainEqual(["double", "object"]);
    expect(listed).toContainEqual(["web_fetch", "object"]);
    expect(listed.map(([name]: [string]) => name)).not.toContain("lists");
    await createTool(owner, "lists_offline", code);
    const offline = (await run("lists_offline")).result.map(([name]: [string]) => name);
    expect(offline).toContain("double");
    expect(offline).not.toContain("web_fetch");
  });
});

describe("a call is refused", () => {
  test("of what is not there, of itself, and with arguments that don't fit, are no object or too large", async () => {
    const calls: [string, string, RegExp][] = [
      ["'nowhere'", "tool_not_found", /no tool "nowhere"/],
      ["'double', { n: 'x' }", "invalid_request", /arguments\.n/],
      ["'double', 5", "invalid_request", /not an object/],
      ["'double', { n: 1, x: 'x'.repeat(300_000) }", "invalid_request", /262144/],
      ["'refused'", "tool_not_allowed", /circle/],
    ];
    const all = calls.map(([of]) => `() => utils.callTool(${of})`).join();
    const code = `const told = [];
      for (const call of [${all}]) told.push(await call().catch((e) => [e.code, e.message]));
      return told;`;
    await createTool(owner, "refused", code);
    expect((await run("refused")).result).toEqual(
      calls.map(([, refusal, message]) => [refusal, expect.stringMatching(message)]),
    );
  });

  test("of a disabled tool, also by one that knew it before", async () => {
    await createTool(owner, "switched", "return 1;");
    expect(await refusalOf("calls_switched", "return await utils.callTool('switched')")).toBe(1);
    await owner.post("/api/v1/custom-tools/switched/disable");
    expect((await run("calls_switched")).result).toEqual([
      "tool_not_found",
      expect.stringMatching(/disabled/),
    ]);
  });

  test("that would close a circle", async () => {
    await createTool(owner, "ping", "return utils.callTool('pong');");
    await createTool(owner, "pong", "return utils.callTool('ping');");
    const { error } = await run("ping");
    expect(error.message).toMatch(/"pong" ended with tool\.threw: .*"ping" is already among the callers/);
  });

  test("deeper than five", async () => {
    product.showLogsIfTestFails();
    for (let level = 1; level <= 6; level += 1)
      await createTool(
        owner,
        `level_${level}`,
        `return [${level}, await utils.callTool('level_${level + 1}')];`,
      );
    const { error } = await run("level_1");
    expect(error.message).toMatch(/level_5.*"level_6" can't be called: tools call tools at most 5 deep/);
    await createTool(owner, "level_7", "return 7;");
    expect((await run("level_3")).result).toEqual([3, [4, [5, [6, 7]]]]);
  });

  test("of a tool that a person must confirm, when an agent began it; not when a person did", async () => {
    await createTool(owner, "sensitive", "return 'done';", { requiresApproval: true });
    await createTool(owner, "middle", "return utils.callTool('sensitive');");
    await createTool(owner, "outer", "return utils.callTool('middle');", { approval: "preApproved" });
    expect((await run("outer")).result).toBe("done");
    const { error } = await run("outer", {}, agent);
    expect(error.message).toMatch(/"sensitive" runs only with a person's confirmation/);
  });

  test("for a name of a built-in tool when a tenant wants it as its own", async () => {
    const made = await owner.post("/api/v1/custom-tools", {
      name: "web_fetch",
      description: "mine",
      parameters: { type: "object" },
      code: "return 1;",
    });
    expect(made.status).toBe(400);
  });
});

describe("what was called ends with its caller", () => {
  beforeAll(async () => {
    await createTool(owner, "sleeper", "await new Promise((r) => setTimeout(r, 60_000));", {
      limits: { wallMs: 100_000 },
    });
    await createTool(owner, "waits", "return utils.callTool('sleeper');");
  });
  const nestedOf = async (parentId: string) =>
    (await executionsOf("sleeper")).find(
      (execution: { parentId: string }) => execution.parentId === parentId,
    );
  const start = async (tool = "waits", args: object = {}) => {
    const call = { mode: "async", arguments: args };
    const { executionId } = (await owner.post(`/api/v1/custom-tools/${tool}/execute`, call)).body.data;
    await until(async () => (await nestedOf(executionId))?.status === "running", { what: "the nested run" });
    return executionId;
  };

  test("that is cancelled", async () => {
    const id = await start();
    await owner.post(`/api/v1/executions/${id}/cancel`);
    await until(async () => (await nestedOf(id)).status !== "running", { what: "the nested end" });
    expect(await nestedOf(id)).toMatchObject({ status: "cancelled", error: { code: "execution.cancelled" } });
  });

  test.runIf(isNightly)("that ran into its own limit", async () => {
    await createTool(owner, "waits_briefly", "return utils.callTool('sleeper');", {
      // Time enough for the call to begin, also on a machine that does much else.
      limits: { wallMs: 5_000 },
    });
    const { executionId, error } = await run("waits_briefly");
    expect(error.code).toBe("tool.wall_limit");
    expect(await nestedOf(executionId)).toMatchObject({ status: "cancelled", endedBy: "worker" });
  });

  test("that returned without waiting for it", async () => {
    const gate = await shutGate();
    await createTool(owner, "forgets", "utils.callTool('sleeper'); await fetch(args.url); return 1;", {
      permissions: ["network"],
    });
    const id = await start("forgets", { url: gate.url });
    gate.open();
    const ended = await until(
      async () => {
        const { data } = (await owner.get(`/api/v1/executions/${id}`)).body;
        return data.finishedAt ? data : undefined;
      },
      { what: "the caller's end" },
    );
    expect(ended.result).toBe(1);
    expect(await nestedOf(id)).toMatchObject({ status: "cancelled" });
  });

  test("and is told its caller when it is cancelled itself", async () => {
    const id = await start();
    const nested = await nestedOf(id);
    expect((await owner.post(`/api/v1/executions/${nested.id}/cancel`)).status).toBe(200);
    const path = `/api/v1/executions/${id}`;
    await until(async () => (await owner.get(path)).body.data.status !== "running", {
      what: "the caller's end",
    });
    expect((await owner.get(path)).body.data.error.message).toMatch(/"sleeper" was ended from outside/);
  });
});

test.runIf(isNightly)(
  "as many callers as there are processes, each waiting for what it calls, all come to their end",
  async () => {
    product.showLogsIfTestFails();
    await createTool(owner, "slow_leaf", "await new Promise((r) => setTimeout(r, 50)); return 1;");
    await createTool(owner, "branch", "return 1 + await utils.callTool('slow_leaf');");
    await createTool(owner, "trunk", "return 1 + await utils.callTool('branch');");
    const all = await Promise.all(Array.from({ length: 8 }, () => run("trunk")));
    expect(all.map(({ result, error }) => result ?? error)).toEqual(all.map(() => 3));
  },
);
