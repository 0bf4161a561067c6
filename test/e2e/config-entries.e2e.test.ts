import { queryRows, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { newClient, newTenant, type Client } from "../support/client.ts";

const SERVICES = "/api/v1/config-services";
const SECRET = "sk_live_0123456789abcdWXYZ";

const product = await sharedProduct();
let owner: Client;
let developer: Client;
let viewer: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  const asRole = (role: string) => newClient(product, tenant.id, role);
  [developer, viewer] = await Promise.all([asRole("developer"), asRole("viewer")]);
});
const SMTP_FIELDS = [
  { name: "host", type: "text", required: true },
  { name: "port", type: "number", default: 587 },
  { name: "tls", type: "boolean" },
  { name: "mode", type: "select", options: ["plain", "login"] },
  { name: "password", type: "secret", required: true },
];

test("[R25] a secret can be written and not read: it is shown when, by whom, and how it ends", async () => {
  await owner.post(SERVICES, { name: "written" });
  const made = await developer.post(`${SERVICES}/written/entries`, {
    data: { api_key: SECRET, base_url: "https://api.written.example:8443/v1" },
  });
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe(`${SERVICES}/written/entries`);
  expect(made.body.data).toMatchObject({
    label: "default",
    isDefault: true,
    data: {
      api_key: {
        isSet: true,
        setAt: expect.any(String),
        setBy: expect.stringMatching(/^key_/),
        lastFour: "WXYZ",
        wholeWordsOnly: false,
      },
      base_url: "https://api.written.example:8443/v1",
    },
    missing: [],
    hosts: ["api.written.example:8443"],
    hostsFrom: "base_url",
  });
  const reads = await Promise.all(
    ["", "/written", "/written/entries"].map((path) => viewer.get(`${SERVICES}${path}`)),
  );
  for (const { status, body } of reads) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(SECRET.slice(0, 12));
  }
  expect(reads[1]?.body.data).toMatchObject({ configured: true, labels: ["default"] });
  const rows = await queryRows(
    product.databaseUrl,
    `SELECT row_to_json(e)::text AS entry FROM config_entries AS e
     UNION ALL SELECT row_to_json(a)::text FROM audit_entries AS a`,
  );
  expect(JSON.stringify(rows)).not.toContain(SECRET.slice(0, 12));
  expect(await product.logs()).not.toContain(SECRET.slice(0, 12));
});

test("of several, one is the default; one can be renamed, and keeps its secret", async () => {
  await owner.post(SERVICES, { name: "several", multiEntry: true, configSchema: SMTP_FIELDS });
  const entries = `${SERVICES}/several/entries`;
  const data = { host: "a.example", password: SECRET };
  await owner.post(entries, { label: "first", data });
  await owner.post(entries, { label: "zweite Adresse", data });
  const labels = async () =>
    (await viewer.get(entries)).body.data.entries.map((one: { label: string; isDefault: boolean }) => [
      one.label,
      one.isDefault,
    ]);
  expect(await labels()).toEqual([
    ["first", true],
    ["zweite Adresse", false],
  ]);
  const renamed = await owner.patch(`${entries}/zweite%20Adresse`, {
    label: "second",
    isDefault: true,
    data: { host: null, port: 25 },
  });
  expect(renamed.body.errors).toMatchObject([{ path: "data.host", message: "is required" }]);
  const done = await owner.patch(`${entries}/zweite%20Adresse`, {
    label: "second",
    isDefault: true,
    data: { port: 25 },
  });
  expect(done.body.data).toMatchObject({
    label: "second",
    isDefault: true,
    data: { host: "a.example", port: 25, password: { isSet: true, lastFour: "WXYZ" } },
  });
  expect(await labels()).toEqual([
    ["first", false],
    ["second", true],
  ]);
  expect((await owner.delete(`${entries}/second`)).status).toBe(200);
  expect(await labels()).toEqual([["first", true]]);
  expect((await owner.delete(`${entries}/second`)).body.code).toBe("config_entry.not_found");
  expect((await owner.post(entries, { label: "first", data })).body.code).toBe("config_entry.label_taken");
  await owner.post(SERVICES, { name: "one_only" });
  await owner.post(`${SERVICES}/one_only/entries`, { data: { api_key: SECRET } });
  const second = await owner.post(`${SERVICES}/one_only/entries`, {
    label: "b",
    data: { api_key: SECRET },
  });
  expect(second).toMatchObject({ status: 409, body: { code: "config_entry.too_many" } });
});

test("short and common secrets are refused with advice, or taken as whole words with a warning", async () => {
  await owner.post(SERVICES, { name: "weak" });
  for (const value of ["abc123", "password"]) {
    const refused = await owner.post(`${SERVICES}/weak/entries`, { data: { api_key: value } });
    expect(refused).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(refused.body.errors).toEqual([
      { path: "data.api_key", message: expect.stringContaining("allowWeak: true") },
    ]);
    expect(JSON.stringify(refused.body)).not.toContain(`"${value}"`);
  }
  const taken = await owner.post(`${SERVICES}/weak/entries`, {
    data: { api_key: "abc123" },
    allowWeak: true,
  });
  expect(taken.status).toBe(201);
  expect(taken.body.data.data.api_key).toEqual(
    expect.objectContaining({ isSet: true, wholeWordsOnly: true }),
  );
  expect(taken.body.data.data.api_key).not.toHaveProperty("lastFour");
  expect(taken.body.data.warnings).toEqual([expect.stringContaining("whole word")]);
});
