import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { newTenant, type Client } from "../support/client.ts";

const SERVICES = "/api/v1/config-services";
const SECRET = "sk_live_0123456789abcdWXYZ";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const fieldOf = (name: string, more: object = {}) => ({ name, type: "text", ...more });

const SMTP_FIELDS = [
  { name: "host", type: "text", required: true },
  { name: "port", type: "number", default: 587 },
  { name: "tls", type: "boolean" },
  { name: "mode", type: "select", options: ["plain", "login"] },
  { name: "password", type: "secret", required: true },
];

test.each<[string, object, string]>([
  ["a name with a space", { name: "a b" }, "name"],
  ["an unknown field", { name: "bad", color: "red" }, "color"],
  [
    "hosts that are none",
    { name: "bad", allowedHosts: ["ok.example", "https://a.example"] },
    "allowedHosts.1",
  ],
  [
    "a field's name twice",
    { name: "bad", configSchema: [fieldOf("a"), fieldOf("a")] },
    "configSchema.1.name",
  ],
  [
    "a secret with a default",
    { name: "bad", configSchema: [fieldOf("a", { type: "secret", default: "x" })] },
    "configSchema.0.default",
  ],
  [
    "a default of another type",
    { name: "bad", configSchema: [fieldOf("a", { type: "number", default: "x" })] },
    "configSchema.0.default",
  ],
  [
    "a select without choices",
    { name: "bad", configSchema: [fieldOf("a", { type: "select" })] },
    "configSchema.0.options",
  ],
  ["no fields", { name: "bad", configSchema: [] }, "configSchema"],
  [
    "too many fields",
    { name: "bad", configSchema: Array.from({ length: 33 }, (_, n) => fieldOf(`f${n}`)) },
    "configSchema",
  ],
  ["another delivery", { name: "bad", delivery: "email" }, "delivery"],
])("of a service, %s is refused with its path", async (_what, body, path) => {
  const answer = await owner.post(SERVICES, body);
  expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
  expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
});

test.each<[string, object, string[]]>([
  ["nothing required", { data: {} }, ["data.host", "data.password"]],
  ["an unknown field", { data: { host: "h", password: SECRET, extra: SECRET } }, ["data.extra"]],
  [
    "values of other types",
    { data: { host: 5, port: "25", tls: "yes", mode: "none", password: true } },
    ["data.host", "data.port", "data.tls", "data.mode", "data.password"],
  ],
  ["an empty text where one is required", { data: { host: "", password: SECRET } }, ["data.host"]],
  ["a blank text where one is required", { data: { host: "  ", password: SECRET } }, ["data.host"]],
  [
    "a blank secret, weak ones taken",
    { data: { host: "h", password: "   " }, allowWeak: true },
    ["data.password"],
  ],
  ["an empty secret", { data: { host: "h", password: "" } }, ["data.password"]],
  ["a value past its bound", { data: { host: "h", password: "x".repeat(16 * 1024 + 1) } }, ["data.password"]],
  ["a value of too many bytes", { data: { host: "h", password: "é".repeat(10_000) } }, ["data.password"]],
  ["an object as a value", { data: { host: { a: SECRET }, password: SECRET } }, ["data.host"]],
  ["a label with a slash", { label: "a/b", data: {} }, ["label"]],
  ["a label that a client would make a path shorter by", { label: "..", data: {} }, ["label"]],
  ["no data", {}, ["data"]],
])("of an entry, %s is refused with its path and without its value", async (_what, body, paths) => {
  await owner.post(SERVICES, { name: "strict", multiEntry: true, configSchema: SMTP_FIELDS });
  const answer = await owner.post(`${SERVICES}/strict/entries`, body);
  expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
  expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toEqual(paths);
  expect(JSON.stringify(answer.body)).not.toMatch(/sk_live|xxxx|éé/);
});

test("what is required can't be blanked by a change", async () => {
  await owner.post(SERVICES, { name: "kept", configSchema: SMTP_FIELDS });
  const created = await owner.post(`${SERVICES}/kept/entries`, { data: { host: "h", password: SECRET } });
  expect(created.status).toBe(201);
  for (const host of ["", " \t"]) {
    const { status, body } = await owner.patch(`${SERVICES}/kept/entries/default`, { data: { host } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: "data.host", message: expect.stringContaining("blank") }]);
  }
  const { body } = await owner.get(`${SERVICES}/kept`);
  expect(body.data.entries).toMatchObject([{ data: { host: "h" }, missing: [] }]);
});

test("all entries of a service together have a bound", async () => {
  const many = Array.from({ length: 20 }, (_, n) => fieldOf(`t${n}`, { type: "text" }));
  await owner.post(SERVICES, { name: "large", multiEntry: true, configSchema: many });
  const data = Object.fromEntries(many.map(({ name }) => [name, "x".repeat(16_000)]));
  const answer = await owner.post(`${SERVICES}/large/entries`, { data });
  expect(answer.body.errors).toMatchObject([{ path: "data", message: expect.stringContaining("bytes") }]);
});
