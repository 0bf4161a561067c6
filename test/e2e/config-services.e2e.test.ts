import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { newClient, newTenant, type Client } from "../support/client.ts";

const SERVICES = "/api/v1/config-services";
const SECRET = "sk_live_0123456789abcdWXYZ";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let developer: Client;
let viewer: Client;
let agent: Client;
let stranger: Client;

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  stranger = (await newTenant(product)).owner;
  const asRole = (role: string) => newClient(product, tenantId, role);
  [developer, viewer, agent] = await Promise.all([asRole("developer"), asRole("viewer"), asRole("agent")]);
});

const SMTP_FIELDS = [
  { name: "host", type: "text", required: true },
  { name: "port", type: "number", default: 587 },
  { name: "tls", type: "boolean" },
  { name: "mode", type: "select", options: ["plain", "login"] },
  { name: "password", type: "secret", required: true },
];

describe("services", () => {
  test("[R25] one is made with a name alone, and is read as it was made", async () => {
    product.showLogsIfTestFails();
    const made = await developer.post(SERVICES, { name: "weatherapi" });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`${SERVICES}/weatherapi`);
    expect(made.body.data).toMatchObject({
      name: "weatherapi",
      multiEntry: false,
      configSchema: [
        { name: "api_key", type: "secret", required: true },
        { name: "base_url", type: "url", required: false },
      ],
      codeHosts: [],
      delivery: "placeholder",
      exchangeInBody: false,
      kept: true,
      configured: false,
      labels: [],
      entries: [],
    });
    const read = await viewer.get(`${SERVICES}/weatherapi`);
    expect(read.body.data).toEqual({ ...made.body.data, tools: [] });
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
    expect(await owner.post(SERVICES, { name: "weatherapi" })).toMatchObject({
      status: 409,
      body: { code: "config_service.name_taken" },
    });
  });

  test("lists go by name, page by page, without entries", async () => {
    for (const name of ["b_list", "a_list"]) await owner.post(SERVICES, { name });
    const first = (await viewer.get(`${SERVICES}?limit=1`)).body.data;
    expect(first).toMatchObject({ services: [{ name: "a_list" }], nextCursor: "a_list" });
    expect(first.services[0]).not.toHaveProperty("entries");
    const next = (await viewer.get(`${SERVICES}?limit=1&cursor=a_list`)).body.data;
    expect(next.services.map(({ name }: { name: string }) => name)).toEqual(["b_list"]);
  });

  test("a change is for the state that was read, and is refused where entries would not fit", async () => {
    const made = await owner.post(SERVICES, {
      name: "changing",
      configSchema: SMTP_FIELDS,
      multiEntry: true,
    });
    const data = { host: "mail.example.com", tls: true, password: SECRET };
    await owner.post(`${SERVICES}/changing/entries`, { label: "a", data });
    await owner.post(`${SERVICES}/changing/entries`, { label: "b", data });
    const stale = { "if-match": made.headers.get("etag") ?? "" };
    expect(await owner.patch(`${SERVICES}/changing`, { displayName: "x" }, stale)).toMatchObject({
      status: 412,
      body: { code: "config_service.precondition_failed" },
    });
    const refused = await owner.patch(`${SERVICES}/changing`, {
      multiEntry: false,
      configSchema: [{ name: "password", type: "text" }],
    });
    expect(refused).toMatchObject({ status: 409, body: { code: "config_service.in_use" } });
    const told = refused.body.errors.map(({ path, message }: { path: string; message: string }) => [
      path,
      /of (\w+)/.exec(message)?.[1],
    ]);
    expect(told).toContainEqual(["configSchema", "host"]);
    expect(told).toContainEqual(["configSchema", "password"]);
    expect(told).toContainEqual(["multiEntry", undefined]);
    expect(JSON.stringify(refused.body)).not.toMatch(/mail\.example|sk_live/);
    const wider = [...SMTP_FIELDS, { name: "from", type: "text", required: true }];
    const changed = await owner.patch(`${SERVICES}/changing`, {
      allowedHosts: ["SMTP.example.com:465"],
      delivery: "reveal",
      configSchema: wider,
    });
    expect(changed.body.data).toMatchObject({
      allowedHosts: ["smtp.example.com:465"],
      delivery: "reveal",
      configured: false,
      entries: [{ missing: ["from"], hosts: ["smtp.example.com:465"], hostsFrom: "allowedHosts" }, {}],
    });
    expect((await owner.patch(`${SERVICES}/changing`, { allowedHosts: null })).body.data).not.toHaveProperty(
      "allowedHosts",
    );
    expect((await owner.delete(`${SERVICES}/changing`)).status).toBe(200);
    expect((await owner.get(`${SERVICES}/changing/entries`)).status).toBe(404);
  });
});

describe("who may do what", () => {
  const CALLS = [
    ["post", "", { name: "forbidden" }],
    ["patch", "/roles", { displayName: "x" }],
    ["post", "/roles/entries", { data: { api_key: SECRET } }],
    ["patch", "/roles/entries/default", { data: {} }],
    ["delete", "/roles/entries/default", undefined],
    ["delete", "/roles", undefined],
    ["get", "", undefined],
    ["get", "/roles", undefined],
    ["get", "/roles/entries", undefined],
  ] as const;
  const send = (client: Client, [method, path, body]: (typeof CALLS)[number]) =>
    method === "get" || method === "delete"
      ? client[method](`${SERVICES}${path}`)
      : client[method](`${SERVICES}${path}`, body);

  test("viewers read, agents do nothing, and for another tenant there is nothing", async () => {
    await owner.post(SERVICES, { name: "roles" });
    await owner.post(`${SERVICES}/roles/entries`, { data: { api_key: SECRET } });
    for (const call of CALLS) {
      const [method, path] = call;
      expect([call, (await send(agent, call)).body.code]).toEqual([call, "auth.forbidden"]);
      expect([call, (await send(viewer, call)).status]).toEqual([call, method === "get" ? 200 : 403]);
      if (path === "") continue;
      const missing = (await send(stranger, call)).body;
      expect([call, missing.code]).toEqual([call, "config_service.not_found"]);
    }
    expect((await stranger.get(SERVICES)).body.data).toEqual({ services: [], nextCursor: null });
  });
});

test("each change is in the audit log with the names of fields, and with no value", async () => {
  await owner.post(SERVICES, { name: "audited" });
  await owner.post(`${SERVICES}/audited/entries`, { data: { api_key: SECRET } });
  await owner.patch(`${SERVICES}/audited/entries/default`, { data: { base_url: "https://a.example" } });
  await owner.patch(`${SERVICES}/audited`, { delivery: "reveal" });
  await owner.delete(`${SERVICES}/audited/entries/default`);
  await owner.delete(`${SERVICES}/audited`);
  const { entries } = (await owner.get("/api/v1/audit?subjectId=audited")).body.data;
  expect(entries.map((one: { action: string; details: object }) => [one.action, one.details])).toMatchObject([
    ["config_service.deleted", { entries: [] }],
    ["config_entry.deleted", {}],
    ["config_service.updated", { fields: ["delivery"], delivery: "reveal" }],
    ["config_entry.updated", { set: ["base_url"], cleared: [] }],
    ["config_entry.created", { set: ["api_key"], isDefault: true }],
    ["config_service.created", { delivery: "placeholder" }],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/sk_live|a\.example/);
});
