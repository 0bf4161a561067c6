import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTool, meta, newTeam, NO_ARGUMENTS } from "../support/agents.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
const { owner, agent, viewer } = await newTeam(product);

const call = (name: string, body: object, client = owner) => meta(client, name, body);
const read = async (ref: string) => (await owner.get(`/api/v1/custom-tools/${ref}`)).body.data;
/** As a model writes one. */
const make = (name: string, more: object = {}, client = owner) => makeTool(client, name, more);

describe("search_tools and describe_tools", () => {
  beforeAll(async () => {
    await createTool(owner, "fetch_forecast", "return 1", {
      description: "Fetch the forecast */ of a city",
      category: "Weather",
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "City name" }, days: { type: "integer" } },
        required: ["city"],
      },
    });
    await createTool(owner, "forecast_off", "return 1");
    await owner.post("/api/v1/custom-tools/forecast_off/disable");
    await make("forecast_asks");
    await createTool(owner, "forecast_blocked", "return 1", { approval: "blocked" });
  });
  const search = async (query: string, client: Client) =>
    (await call("search_tools", { query }, client)).body.data.tools
      .map(({ name }: { name: string }) => name)
      .toSorted();

  test("[R24] find what the key may run, and say what a person has to confirm", async () => {
    expect(await search("forecast", viewer)).toEqual(["fetch_forecast", "forecast_asks", "forecast_blocked"]);
    expect(await search("forecast", owner)).toEqual(["fetch_forecast", "forecast_asks", "forecast_blocked"]);
    expect(await search("a forecast for my city please", agent)).toEqual(["fetch_forecast", "forecast_asks"]);
    const { body } = await call("search_tools", { query: "forecast city" }, agent);
    expect(body.data.tools[0]).toMatchObject({ name: "fetch_forecast", category: "Weather" });
    const asks = body.data.tools.find(({ name }: { name: string }) => name === "forecast_asks");
    expect(asks.requiresConfirmation).toBe(true);
  });

  test("answer in a few hundred tokens, however much is found", async () => {
    for (let n = 0; n < 25; n += 1)
      await createTool(owner, `lengthy_${n}`, "return 1", { description: "lengthy ".repeat(400) });
    const { body } = await call("search_tools", { query: "lengthy", limit: 20 });
    expect(body.data.tools.length).toBeGreaterThan(5);
    expect(JSON.stringify(body.data).length).toBeLessThan(2_000);
    expect((await call("search_tools", { query: "?!" })).body.data).toEqual({
      tools: [],
      message: expect.any(String),
    });
  });

  test("describe each tool with its schema and a declaration, and name what is not there", async () => {
    const { body } = await call(
      "describe_tools",
      { names: ["fetch_forecast", "ghost", "fetch_forecast"] },
      viewer,
    );
    expect(body.data).toEqual({
      tools: [
        {
          name: "fetch_forecast",
          description: "Fetch the forecast */ of a city",
          status: "active",
          requiresConfirmation: false,
          parameters: expect.objectContaining({ required: ["city"] }),
          typescript: [
            "/** Fetch the forecast * / of a city */",
            "declare function fetch_forecast(args: {",
            "  /** City name */",
            "  city: string;",
            "  days?: number;",
            "}): Promise<unknown>;",
          ].join("\n"),
        },
      ],
      notFound: ["ghost"],
    });
  });
});

describe("call_tool", () => {
  beforeAll(async () => {
    await createTool(owner, "triple", "return args.n * 3", {
      approval: "preApproved",
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    });
    await createTool(owner, "not_for_agents", "return 1", { approval: "blocked" });
    await make("asks_a_person");
  });
  const pass = (name: string, args: object, headers = {}) =>
    agent.post("/api/v1/meta-tools/call_tool", { name, arguments: args, context: { callId: "c1" } }, headers);

  test("[R24] answers as a direct call does, once for one Idempotency-Key, and is told apart", async () => {
    const first = await pass("triple", { n: 2 }, { "idempotency-key": "triple-2" });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ status: "succeeded", tool: "triple", result: 6, isError: false });
    expect(first.body.data.metadata.timings).toHaveProperty("run");
    const again = await pass("triple", { n: 2 }, { "idempotency-key": "triple-2" });
    expect([again.headers.get("idempotent-replayed"), again.body.data.executionId]).toEqual([
      "true",
      first.body.data.executionId,
    ]);
    const seen = (await agent.get(`/api/v1/executions/${first.body.data.executionId}`)).body.data;
    expect(seen).toMatchObject({ source: "meta_tool", toolName: "triple", context: { callId: "c1" } });
    expect((await read("triple")).usageCount).toBe(1);
  });

  test("waits for a person where a direct call would, and is refused where that would be", async () => {
    const waiting = await pass("asks_a_person", {});
    expect([waiting.status, waiting.body.data.status]).toEqual([202, "awaiting_approval"]);
    expect(waiting.body.data.links).toHaveProperty("approval");
    const refusals = await Promise.all([
      pass("not_for_agents", {}),
      pass("triple", { n: "two" }),
      pass("nowhere", {}),
      pass("search_tools", { query: "x" }),
      pass("call_tool", { name: "triple" }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [403, "tool.blocked"],
      [400, "tool.arguments_invalid"],
      [404, "tool.not_found"],
      [400, "request.invalid"],
      [400, "request.invalid"],
    ]);
    expect(refusals[3]?.body.errors).toEqual([
      { path: "name", message: expect.stringContaining("search_tools is a meta-tool") },
    ]);
  });
});

describe("run_code", () => {
  beforeAll(async () => {
    await createTool(owner, "double", "return args.n * 2", {
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    });
    await make("asks_first");
  });

  test("[R24] runs one script that calls several tools, each call an execution that counts", async () => {
    product.showLogsIfTestFails();
    const code = `const once = await utils.callTool('double', { n: args.n });
      return utils.callTool('double', { n: once });`;
    const { status, body } = await call("run_code", { code, arguments: { n: 3 } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "succeeded", tool: "run_code", result: 12, isError: false });
    const { executions } = (await owner.get("/api/v1/executions?tool=double")).body.data;
    expect(executions.map(({ parentId }: { parentId: string }) => parentId)).toEqual([
      body.data.executionId,
      body.data.executionId,
    ]);
    expect((await read("double")).usageCount).toBe(2);
  });

  test("has an agent's script reach nothing that a person has to confirm", async () => {
    const code = "try { return await utils.callTool('asks_first', {}) } catch (error) { return error.code }";
    expect((await call("run_code", { code }, agent)).body.data.result).toBe("tool_not_allowed");
    expect((await call("run_code", { code }, owner)).body.data.result).toBe(1);
    const listed = "return utils.listTools().map(({ name }) => name).includes('asks_first')";
    expect((await call("run_code", { code: listed }, agent)).body.data.result).toBe(false);
  });

  test("[G4] gives a person's script what a model's tool has without a review, and an agent's nothing", async () => {
    const code = `const { created } = await utils.data("scripts").put("a", { n: 1 });
      return [typeof fetch, typeof utils.fs, created];`;
    const permissions = ["network", "database"];
    const { body } = await call("run_code", { code, permissions }, owner);
    expect(body.data).toMatchObject({ status: "succeeded", result: ["function", "undefined", true] });
    const refused = await Promise.all([
      call("run_code", { code, permissions }, agent),
      call("run_code", { code, permissions: ["network", "shell"] }, owner),
      call("run_code", { code: "return 1", required_config_services: [{ name: "weatherapi" }] }, agent),
    ]);
    expect(refused.map(({ status, body: { errors } }) => [status, errors[0].path])).toEqual([
      [400, "permissions.0"],
      [400, "permissions.1"],
      [400, "required_config_services"],
    ]);
    expect(JSON.stringify(refused.map(({ body: { detail } }) => detail))).toMatch(/create_tool.*create_tool/);
  });

  test("gives the script no permission that it doesn't ask for, and tells what is wrong with its code", async () => {
    const { body } = await call("run_code", { code: "return typeof fetch" });
    expect(body.data).toMatchObject({ result: "undefined", warnings: [expect.stringContaining("fetch")] });
    const broken = await call("run_code", { code: "return process.env" });
    expect([broken.status, broken.body.code]).toEqual([400, "tool.code_invalid"]);
    const threw = await call("run_code", { code: "throw new Error('no')" });
    expect(threw.body.data).toMatchObject({ isError: true, error: { code: "tool.threw" } });
  });
});

describe("who may", () => {
  const BODIES: Record<string, object> = {
    create_tool: { name: "x", description: "x", parameters: NO_ARGUMENTS, code: "return 1" },
    delete_custom_tool: { name: "x" },
    toggle_custom_tool: { name: "x", enabled: true },
    update_tool: { name: "x" },
    call_tool: { name: "x" },
    run_code: { code: "return 1" },
  };
  test.each(Object.keys(BODIES))("a viewer may not call %s", async (name) => {
    const { status, body } = await call(name, BODIES[name] ?? {}, viewer);
    expect([status, body.code]).toEqual([403, "auth.forbidden"]);
  });

  test.each([
    ["list_custom_tools", {}],
    ["search_tools", { query: "x" }],
    ["describe_tools", { names: ["x"] }],
  ])("a viewer may call %s", async (name, body) => {
    expect((await call(name, body, viewer)).status).toBe(200);
  });

  test("another tenant's tools are not there", async () => {
    await make("hidden_away");
    const other = await newTenant(product);
    for (const [name, body] of [
      ["delete_custom_tool", { name: "hidden_away", confirm: true }],
      ["toggle_custom_tool", { name: "hidden_away", enabled: false }],
      ["update_tool", { name: "hidden_away", code: "return 2" }],
    ] as const) {
      expect((await call(name, body, other.owner)).body.code).toBe("tool.not_found");
    }
    expect((await call("search_tools", { query: "hidden away" }, other.owner)).body.data.tools).toEqual([]);
    expect((await call("describe_tools", { names: ["hidden_away"] }, other.owner)).body.data.tools).toEqual(
      [],
    );
  });
});

test("[R23] the definitions name all nine, in every format, and which of them ask for confirmation", async () => {
  const get = async (query: string) => (await viewer.get(`/api/v1/meta-tools/definitions${query}`)).body.data;
  const { tools, count } = await get("");
  expect(count).toBe(9);
  for (const { name, requiresConfirmation, category } of tools) {
    expect([name, requiresConfirmation]).toEqual([
      name,
      ["create_tool", "delete_custom_tool"].includes(name),
    ]);
    expect(category).toBe("Meta");
  }
  const names = tools.map(({ name }: { name: string }) => name);
  for (const format of ["openai", "anthropic", "mcp", "ai-sdk"]) {
    const written = (await get(`?format=${format}`)).tools;
    expect(
      written.map((tool: { name?: string; function?: { name: string } }) => tool.name ?? tool.function?.name),
    ).toEqual(names);
  }
});

test("there is no meta-tool of another name", async () => {
  expect((await call("format_disk", {})).status).toBe(404);
});
