import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
/** As its documentation creates it. */
const WEATHER = {
  name: "fetch_weather",
  description: "Fetch current weather for a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string", description: "City name" } },
    required: ["city"],
  },
  code: "const key = utils.getApiKey('weatherapi');\nconst res = await fetch(`https://api.weatherapi.com/v1/current.json?key=${key}&q=${args.city}`);\nreturn await res.json();",
  category: "Weather",
  permissions: ["network"],
  createdBy: "user",
  requiredApiKeys: [{ name: "weatherapi", displayName: "WeatherAPI", description: "Weather data API" }],
};

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let viewer: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  tenantId = tenant.id;
  owner = tenant.owner;
  viewer = await newClient(product, tenantId, "viewer");
  expect((await owner.post(TOOLS, WEATHER)).status).toBe(201);
  await createTool(owner, "parse_csv", "return 1", { description: "Reads tables of comma separated values" });
  await createTool(owner, "mail_it", "return 1", { permissions: ["email"], createdBy: "llm" });
  await createTool(owner, "safe_one", "return 1", { createdBy: "llm", category: "Weather" });
  await createTool(owner, "switched_off", "return 1");
  await owner.post(`${TOOLS}/switched_off/disable`);
});

const page = async (query: string, client = owner) => (await client.get(`${TOOLS}?${query}`)).body.data;
const names = async (query: string) => (await page(query)).tools.map(({ name }: { name: string }) => name);

test("[E1] a list is answered as documented, each tool as it is read alone", async () => {
  const { status, body } = await owner.get(TOOLS);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["success", "data", "meta"]);
  expect(body.success).toBe(true);
  expect(body.meta).toEqual({
    requestId: expect.any(String),
    traceId: expect.any(String),
    timestamp: expect.any(String),
  });
  expect(Object.keys(body.data)).toEqual(["tools", "count", "nextCursor"]);
  expect(body.data.count).toBe(5);
  for (const tool of body.data.tools)
    expect(tool).toEqual((await owner.get(`${TOOLS}/${tool.id}`)).body.data);
});

test("[E2] the statistics are exactly the documented ones", async () => {
  await owner.post(`${TOOLS}/parse_csv/execute`, { arguments: {} });
  const { status, body } = await viewer.get(`${TOOLS}/stats`);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    total: 5,
    active: 3,
    disabled: 1,
    pendingApproval: 1,
    createdByLLM: 2,
    createdByUser: 3,
    totalUsage: 1,
  });
  const more = (await viewer.get(`${TOOLS}/stats?include=categories,rejected`)).body.data;
  expect(more).toMatchObject({ total: 5, rejected: 0, categories: expect.any(Array) });
});

test("[E3] what waits for approval is listed in the shape of the list", async () => {
  const { body } = await viewer.get(`${TOOLS}/pending`);
  expect(Object.keys(body.data)).toEqual(["tools", "count", "nextCursor"]);
  expect(body.data).toMatchObject({ count: 1, tools: [{ name: "mail_it", status: "pending_approval" }] });
});

describe("definitions", () => {
  const definitions = async (query = "") => (await owner.get(`${TOOLS}/active/definitions${query}`)).body;
  const find = (body: Awaited<ReturnType<typeof definitions>>, name: string) =>
    body.data.tools.find(
      (tool: { name?: string; function?: { name: string } }) => (tool.name ?? tool.function?.name) === name,
    );

  test("[E4] of active tools are exactly what is documented", async () => {
    const body = await definitions();
    expect(Object.keys(body)).toEqual(["success", "data", "meta"]);
    expect(Object.keys(body.data)).toEqual(["tools", "count"]);
    expect(body.data.count).toBe(3);
    const { name, description, parameters, category } = WEATHER;
    expect(find(body, "fetch_weather")).toEqual({
      name,
      description,
      parameters,
      category,
      requiresConfirmation: false,
    });
    expect(find(body, "safe_one")).toMatchObject({ requiresConfirmation: true });
    expect(find(body, "parse_csv")).not.toHaveProperty("category");
  });

  test("[R4] come in the words of each provider, strict where the format can say it", async () => {
    const { name, description, parameters } = WEATHER;
    const strict = { ...parameters, additionalProperties: false };
    expect(find(await definitions("?format=openai"), name)).toEqual({
      type: "function",
      function: { name, description, parameters: strict, strict: true },
    });
    expect(find(await definitions("?format=anthropic"), name)).toEqual({
      name,
      description,
      input_schema: strict,
      strict: true,
    });
    expect(find(await definitions("?format=mcp"), name)).toEqual({
      name,
      description,
      inputSchema: parameters,
      annotations: { idempotentHint: false, openWorldHint: true },
    });
    expect(find(await definitions("?format=ai-sdk"), name)).toEqual({
      type: "function",
      name,
      description,
      inputSchema: strict,
      strict: true,
    });
    expect(find(await definitions("?format=openai&strict=false"), name).function).toEqual({
      name,
      description,
      parameters,
    });
    expect((await owner.get(`${TOOLS}/active/definitions?format=other`)).status).toBe(400);
  });

  test("[T6] follow every change at once", async () => {
    const listed = async () => (await definitions()).data.tools.map((tool: { name: string }) => tool.name);
    await createTool(owner, "short_lived", "return 1");
    expect(await listed()).toContain("short_lived");
    await owner.patch(`${TOOLS}/short_lived`, { description: "told anew" });
    expect(find(await definitions(), "short_lived")).toMatchObject({ description: "told anew" });
    await owner.post(`${TOOLS}/short_lived/disable`);
    expect(await listed()).not.toContain("short_lived");
    await owner.post(`${TOOLS}/short_lived/enable`);
    expect(await listed()).toContain("short_lived");
    await owner.delete(`${TOOLS}/short_lived`);
    expect(await listed()).not.toContain("short_lived");
  });
});

describe("a list", () => {
  test.each([
    ["search=weather", ["safe_one", "fetch_weather"]],
    ["search=weather%20ci", ["fetch_weather"]],
    ["search=table", ["parse_csv"]],
    ["search=weather&createdBy=llm", ["safe_one"]],
    ["search=!!!", []],
    ["search=%20&limit=1", ["switched_off"]],
    ["search=%27%20OR%201%3D1%20--", []],
    ["sort=name", ["fetch_weather", "mail_it", "parse_csv", "safe_one", "switched_off"]],
    ["sort=name&order=desc&limit=1", ["switched_off"]],
    ["sort=createdAt&order=asc&limit=2", ["fetch_weather", "parse_csv"]],
    ["limit=2&offset=3", ["parse_csv", "fetch_weather"]],
    ["status=disabled", ["switched_off"]],
    ["category=Weather&sort=name", ["fetch_weather", "safe_one"]],
  ])("[E1, R3] with %s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test("[R3] is read to its end page by page, each cursor for its own order", async () => {
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { tools, count, nextCursor } = await page(`sort=name&limit=2${cursor}`);
      expect(count).toBe(5);
      seen.push(...tools.map(({ name }: { name: string }) => name));
      if (nextCursor === null) break;
      expect((await owner.get(`${TOOLS}?sort=usageCount&cursor=${nextCursor}`)).body.code).toBe(
        "request.invalid",
      );
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(await names("sort=name"));
  });

  test.each([
    ["sort=colour", "sort"],
    ["order=up", "order"],
    ["limit=0", "limit"],
    ["offset=-1", "offset"],
    ["cursor=zzz", "cursor"],
    ["search=%00", "search"],
    [`search=${"x".repeat(501)}`, "search"],
    ["colour=red", "colour"],
  ])("[R34] with %.20s is refused by the field's name", async (query, path) => {
    const { status, body } = await owner.get(`${TOOLS}?${query}`);
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
  });

  test("holds nothing of another tenant's", async () => {
    const other = await newTenant(product);
    await createTool(other.owner, "weather_elsewhere", "return 1");
    expect((await page("search=weather", other.owner)).tools).toHaveLength(1);
    expect(await names("search=elsewhere")).toEqual([]);
  });
});

test.each(["eather", "ch_wea", "FETCH_W"])(
  "[E1] a search for %s, a part of a name, finds the tool",
  async (search) => {
    expect(await names(`search=${search}`)).toEqual(["fetch_weather"]);
  },
);

test.each(["f%25r", "f_tch", "%25", "_", "%5C"])(
  "[E1] in a search %s stands for nothing else",
  async (search) => {
    expect(await names(`search=${search}`)).toEqual([]);
  },
);
