import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const SERVICES = "/api/v1/config-services";
const SECRET = "sk_live_0123456789abcdWXYZ";
const FETCHES = "return fetch(`https://api.weather.example/v1?q=${args.q}`)";

const product = await sharedProduct();
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  agent = await newClient(product, tenant.id, "agent");
});

const service = async (name: string) => (await owner.get(`${SERVICES}/${name}`)).body;
const requires = (...names: string[]) => ({ requiredApiKeys: names.map((name) => ({ name })) });
const network = { permissions: ["network"] };

test("a tool registers what its tenant lacks, with the hosts in its code, and says what is to be filled in", async () => {
  product.showLogsIfTestFails();
  const made = await createTool(owner, "forecast", FETCHES, {
    ...network,
    requiredApiKeys: [{ name: "weather", displayName: "Weather", docsUrl: "https://weather.example/docs" }],
    requiredConfigServices: [
      {
        name: "mail",
        multiEntry: true,
        configSchema: [{ name: "password", type: "secret", required: true }],
      },
    ],
  });
  expect(made).toMatchObject({
    services: ["mail", "weather"],
    unconfiguredServices: ["mail", "weather"],
    warnings: [
      expect.stringContaining(`${SERVICES}/mail/entries`),
      expect.stringContaining(`${SERVICES}/weather/entries`),
    ],
  });
  expect((await service("weather")).data).toMatchObject({
    displayName: "Weather",
    docsUrl: "https://weather.example/docs",
    configSchema: [{ name: "api_key" }, { name: "base_url" }],
    codeHosts: ["api.weather.example"],
    registeredBy: made.id,
    kept: false,
    tools: ["forecast"],
  });
  expect((await service("mail")).data).toMatchObject({
    multiEntry: true,
    configSchema: [{ name: "password", type: "secret", required: true }],
  });
  expect((await owner.get(SERVICES)).body.data.services).toMatchObject([
    { name: "mail", missing: ["password"], tools: ["forecast"], toolCount: 1 },
    { name: "weather", missing: ["api_key"], tools: ["forecast"], toolCount: 1 },
  ]);
  const entry = await owner.post(`${SERVICES}/weather/entries`, { data: { api_key: SECRET } });
  expect(entry.body.data).toMatchObject({ hosts: ["api.weather.example"], hostsFrom: "code" });
  const read = (await owner.get(`${TOOLS}/forecast`)).body.data;
  expect(read.unconfiguredServices).toEqual(["mail"]);
  expect((await owner.get(TOOLS)).body.data.tools).toEqual([read]);
});

test("a service that a person made stays as it is, and stays when its tools go", async () => {
  await owner.post(SERVICES, { name: "mine", displayName: "Mine", allowedHosts: [] });
  const before = await service("mine");
  await createTool(owner, "uses_mine", FETCHES, {
    requiredConfigServices: [
      { name: "mine", displayName: "Other", configSchema: [{ name: "x", type: "text" }] },
    ],
  });
  expect((await service("mine")).data).toEqual({ ...before.data, tools: ["uses_mine"] });
  await owner.delete(`${TOOLS}/uses_mine`);
  expect((await service("mine")).data).toEqual(before.data);
});

test("what a tool registered goes with the last tool that needs it, unless somebody filled it in", async () => {
  const one = await createTool(owner, "one", "return 1", requires("shared", "filled"));
  const two = await createTool(owner, "two", "return 2", requires("shared"));
  await owner.post(`${SERVICES}/filled/entries`, { data: { api_key: SECRET } });
  await owner.delete(`${TOOLS}/one`);
  expect((await service("shared")).data.tools).toEqual(["two"]);
  expect((await service("filled")).data).toMatchObject({ tools: [], kept: true });
  await owner.delete(`${TOOLS}/two`);
  expect((await service("shared")).code).toBe("config_service.not_found");
  const { entries } = (await owner.get("/api/v1/audit?subjectId=shared")).body.data;
  expect(entries).toMatchObject([
    { action: "config_service.released" },
    { action: "config_service.registered", details: { toolId: two.id } },
    { action: "config_service.registered", details: { toolId: one.id } },
  ]);
});

test("another list of services makes another version, registers and releases; restoring turns it back", async () => {
  await createTool(owner, "changes", "return 1", requires("before"));
  const same = await owner.patch(`${TOOLS}/changes`, {
    requiredApiKeys: [{ name: "before", displayName: "Before" }],
  });
  expect(same.body.data).toMatchObject({ version: 1, requiredApiKeys: [{ displayName: "Before" }] });
  const changed = await owner.patch(`${TOOLS}/changes`, {
    requiredApiKeys: [],
    requiredConfigServices: [{ name: "after" }],
  });
  expect(changed.body.data).toMatchObject({
    version: 2,
    services: ["after"],
    unconfiguredServices: ["after"],
    warnings: [expect.stringContaining("after")],
  });
  expect((await service("before")).code).toBe("config_service.not_found");
  const diff = await owner.get(`${TOOLS}/changes/versions/2/diff`);
  expect(diff.body.data.changes).toEqual([{ field: "services", before: ["before"], after: ["after"] }]);
  const restored = await owner.post(`${TOOLS}/changes/versions/1/restore`);
  expect(restored.body.data).toMatchObject({
    version: 3,
    services: ["before"],
    requiredApiKeys: [],
    requiredConfigServices: [{ name: "before" }],
  });
  expect((await service("before")).data.tools).toEqual(["changes"]);
  expect((await service("after")).code).toBe("config_service.not_found");
});

test("models declare services with their tools, and may not fill them in", async () => {
  const call = {
    name: "models_tool",
    description: "Asks for a key",
    parameters: '{"type":"object","properties":{}}',
    code: "return utils.getApiKey('models_service') === undefined",
    required_api_keys: [{ name: "models_service", displayName: "Of a model" }],
    required_config_services: [{ name: "models_mail", configSchema: [{ name: "host", type: "text" }] }],
  };
  const made = await owner.post("/api/v1/meta-tools/create_tool", call);
  expect(made.body.data).toMatchObject({ warnings: [expect.any(String), expect.any(String)] });
  expect((await service("models_service")).data).toMatchObject({ displayName: "Of a model" });
  expect((await service("models_mail")).data.configSchema).toMatchObject([{ name: "host", required: false }]);
  expect((await agent.post(`${SERVICES}/models_service/entries`, { data: { api_key: SECRET } })).status).toBe(
    403,
  );
});

test("a model's tool neither says where a secret may go nor has one shown", async () => {
  const made = await createTool(owner, "models_own", FETCHES, {
    ...network,
    createdBy: "llm",
    requiredApiKeys: [{ name: "plain_key" }],
    requiredConfigServices: [
      {
        name: "models_api",
        configSchema: [
          { name: "api_key", type: "text", required: true, default: "mine" },
          { name: "base_url", type: "url", default: "https://evil.example" },
        ],
      },
    ],
  });
  for (const name of ["plain_key", "models_api"]) {
    await owner.post(`${SERVICES}/${name}/entries`, { data: { api_key: SECRET } });
    const { data } = await service(name);
    expect(data).toMatchObject({ registeredBy: made.id, codeHosts: [] });
    expect(data.entries).toMatchObject([
      { data: { api_key: { isSet: true } }, hosts: [], hostsFrom: "nothing" },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/evil|sk_live_0123/);
  }
});

test("what a tool said of a service goes with it, and a tool that remains tells of it anew", async () => {
  const mail = { name: "passed_on", displayName: "Of a model", configSchema: [{ name: "x", type: "text" }] };
  await createTool(owner, "said_first", "return 1", { createdBy: "llm", requiredConfigServices: [mail] });
  const heir = await createTool(owner, "remains", FETCHES, { ...network, ...requires("passed_on") });
  expect((await service("passed_on")).data).toMatchObject({ displayName: "Of a model", codeHosts: [] });
  await owner.delete(`${TOOLS}/said_first`);
  const { data } = await service("passed_on");
  expect(data).toMatchObject({
    configSchema: [{ name: "api_key", type: "secret" }, { name: "base_url" }],
    codeHosts: ["api.weather.example"],
    registeredBy: heir.id,
    tools: ["remains"],
    kept: false,
  });
  expect(data).not.toHaveProperty("displayName");
});

test("what a version needs that waits is there to be filled in, and goes when the version is rejected", async () => {
  const byModel = { createdBy: "llm", permissions: ["email"] };
  const waits = await createTool(owner, "waits", "return 1", { ...byModel, ...requires("waited_for") });
  expect(waits).toMatchObject({ status: "pending_approval", unconfiguredServices: ["waited_for"] });
  expect((await service("waited_for")).data).toMatchObject({ tools: ["waits"], kept: false });
  const rejected = await owner.post(`${TOOLS}/waits/reject`);
  expect(rejected.body.data).toMatchObject({ status: "rejected", unconfiguredServices: [] });
  expect((await service("waited_for")).code).toBe("config_service.not_found");
});

test("services go over a file to another tenant, their values do not", async () => {
  const { body } = await owner.get(`${TOOLS}/export?names=forecast&format=json`);
  expect(JSON.stringify(body)).not.toContain("sk_live");
  const other = (await newTenant(product)).owner;
  const imported = await other.post(`${TOOLS}/import`, body.data);
  expect(imported.body.data.tools).toMatchObject([
    { name: "forecast", warnings: [expect.stringContaining("mail"), expect.stringContaining("weather")] },
  ]);
  expect((await other.get(`${SERVICES}/mail`)).body.data).toMatchObject({
    multiEntry: true,
    configSchema: [{ name: "password" }],
    entries: [],
  });
});

test.each<[string, object, string]>([
  ["a name that no service may have", { requiredApiKeys: [{ name: "a b" }] }, "requiredApiKeys.0.name"],
  [
    "a field of an unknown type",
    { requiredConfigServices: [{ name: "a", configSchema: [{ name: "x", type: "date" }] }] },
    "requiredConfigServices.0.configSchema.0.type",
  ],
  [
    "a default of a secret",
    { requiredConfigServices: [{ name: "a", configSchema: [{ name: "x", type: "secret", default: "y" }] }] },
    "requiredConfigServices.0.configSchema.0.default",
  ],
])("%s is refused with its path", async (_what, fields, path) => {
  const answer = await owner.post(TOOLS, {
    name: "refused",
    description: "x",
    parameters: { type: "object" },
    code: "return 1",
    ...fields,
  });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});
