import { openTestDatabase, sharedProduct, type TestDatabase } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import type { Client } from "../support/client.ts";

const product = await sharedProduct();
const SERVICES = "/api/v1/config-services";
const TOOLS = "/api/v1/custom-tools";
let database: TestDatabase;
let owner: Client;
let agent: Client;
let stranger: Client;
let password: string;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.execute(
    "CREATE TABLE orders (id int, note text); INSERT INTO orders VALUES (1, 'one'), (2, 'two')",
  );
  ({ owner, one: agent } = await newAgentTenant(product));
  ({ one: stranger } = await newAgentTenant(product));
  const url = new URL(database.url);
  password = decodeURIComponent(url.password) || "pass-of-the-database";
  const data = {
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: decodeURIComponent(url.username),
    password,
    ssl: "off",
    maxRows: 100,
  };
  for (const [name, more] of Object.entries({ shop: {}, ledger: { writable: true } })) {
    await owner.post(SERVICES, { name, kind: "postgres" });
    const made = await owner.post(`${SERVICES}/${name}/entries`, {
      data: { ...data, ...more },
      allowWeak: true,
    });
    expect(made.status).toBe(201);
  }
});
afterAll(() => database.close());

const call = (client: Client, tool: string, args: object) =>
  client.post(`${TOOLS}/${tool}/execute`, { arguments: args });
const query = (client: Client, args: object) => call(client, "database_query", args);
const make = async (name: string, code: string, more: object = {}) => {
  const made = await owner.post(TOOLS, {
    name,
    description: "Asks.",
    parameters: { type: "object" },
    code,
    ...more,
  });
  expect(made.status).toBe(201);
  return made.body.data;
};
const needs = (...names: string[]) => ({
  permissions: ["database"],
  requiredConfigServices: names.map((name) => ({ name, kind: "postgres" })),
});

test("a service of the kind has the platform's fields, which nobody else chooses", async () => {
  product.showLogsIfTestFails();
  const read = (await owner.get(`${SERVICES}/shop`)).body.data;
  expect(read).toMatchObject({ kind: "postgres", configured: true, delivery: "placeholder" });
  expect(read.entries[0].data).toMatchObject({ port: expect.any(Number), password: { isSet: true } });
  const chosen = { configSchema: [{ name: "host", type: "text" }], delivery: "reveal", multiEntry: true };
  for (const [field, value] of Object.entries(chosen)) {
    const asked = { name: "other", kind: "postgres", [field]: value };
    const { status, body } = await owner.post(SERVICES, asked);
    expect([status, body.errors[0].path]).toEqual([400, field]);
  }
  const { status, body } = await owner.patch(`${SERVICES}/shop/entries/default`, {
    data: { port: 0, maxRows: 0 },
  });
  expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ["data.port", "data.maxRows"],
  ]);
});

test("a person asks a database by the tool, in words and bounds for models, as an execution", async () => {
  const { body } = await query(owner, {
    database: "shop",
    sql: "SELECT * FROM orders WHERE id = $1",
    params: [2],
  });
  expect(body.data).toMatchObject({
    status: "succeeded",
    result: {
      columns: [
        { name: "id", type: "integer" },
        { name: "note", type: "text" },
      ],
      rows: [{ id: 2, note: "two" }],
      truncated: false,
    },
    metadata: { usage: { capabilityCalls: 1 } },
  });
  const long = await query(owner, { database: "shop", sql: "SELECT n FROM generate_series(1, 200) AS n" });
  expect(long.body.data.result).toMatchObject({ rowCount: 100, truncated: true });
});

test.each([
  [{ sql: "SELECT 1" }, /required/],
  [{ database: "shop", sql: 1 }, /sql/],
  [{ database: "", sql: "SELECT 1" }, /database/],
  [{ database: "shop", sql: "SELECT 1", params: {} }, /params/],
  [{ database: "shop", sql: "SELECT 1", host: "x" }, /additional|unknown|not allowed/i],
])("it refuses what its schema does not allow: %#", async (args, message) => {
  const { status, body } = await query(owner, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

test.each([
  [{ database: "shop", sql: "DELETE FROM orders" }, /read-only/],
  [{ database: "shop", sql: "COMMIT" }, /COMMIT is not for tools/],
  [{ database: "shop", sql: "SELECT 1; DELETE FROM orders" }, /multiple commands/],
  [{ database: "shop", sql: "SELEC 1" }, /SELEC is not for tools/],
  [{ database: "shop", sql: "SELECT nothing" }, /does not exist \(SQLSTATE 42703, at character 8\)/],
  [{ database: "none", sql: "SELECT 1" }, /no database "none"/],
])("%j fails in words that a model can use", async (args, message) => {
  const { status, error } = (await query(owner, args)).body.data;
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  expect(error.message).toMatch(message);
});

test("[G15] code asks the databases that its tool names, and holds nothing of how they are reached", async () => {
  const args = needs("shop", "ledger");
  const { warnings } = await make(
    "reports",
    `const { rows } = await utils.db("shop").query("SELECT count(*) AS n FROM orders");
     const changed = await utils.db("ledger").query("INSERT INTO orders VALUES ($1, $2)", [3, "three"]);
     const refused = await utils.db("secret_one").query("SELECT 1").catch(({ code, message }) => ({ code, message }));
     return { rows, changed: changed.rowCount, refused, known: utils.getServiceConfig("shop"), key: utils.getFieldValue("shop", "password") ?? null };`,
    args,
  );
  expect(warnings ?? []).toEqual([]);
  const { result } = (await call(owner, "reports", {})).body.data;
  expect(result).toMatchObject({
    rows: [{ n: 2 }],
    changed: 1,
    refused: { code: "not_found", message: expect.stringContaining("secret_one") },
    known: null,
    key: null,
  });
  await make("undone", `return utils.db("ledger").query("DELETE FROM orders WHERE id = 3")`, args);
  expect((await call(owner, "undone", {})).body.data.result).toMatchObject({
    command: "DELETE",
    rowCount: 1,
  });
});

test("whose tenant has no database is told what to set up", async () => {
  const engineOf = async (client: typeof owner) =>
    (await client.get("/api/v1/built-in-tools")).body.data.tools.find(
      ({ name }: { name: string }) => name === "database_query",
    ).engine;
  expect(await engineOf(owner)).toEqual({ available: true, missing: null });
  expect(await engineOf(stranger)).toEqual({
    available: false,
    missing: expect.stringContaining("No database is set up"),
  });
});

test("what a database says is covered where it is a secret of the run", async () => {
  const covered = await query(owner, {
    database: "shop",
    sql: "SELECT $1::text AS a",
    params: [`ghp_${"a1B2".repeat(9)}`],
  });
  expect(covered.body.data.result.rows).toEqual([{ a: "[REDACTED]" }]);
  await make(
    "echoes",
    `const { rows: [row] } = await utils.db("shop").query("SELECT $1 || $2 AS a", args.halves); return row.a.length + ":" + row.a`,
    needs("shop"),
  );
  const halves = [password.slice(0, 5), password.slice(5)];
  const echoed = await call(owner, "echoes", { halves });
  expect(JSON.stringify(echoed.body.data.result)).not.toContain(password);
});

test("[G9] without the permission there is none, and a tool that can reach none is told so when it is made", async () => {
  await make("without", "return typeof utils.db");
  expect((await call(owner, "without", {})).body.data.result).toBe("undefined");
  const { warnings } = await make("unreached", `return utils.db("shop").query("SELECT 1")`, {
    permissions: ["database"],
  });
  expect(warnings).toEqual([expect.stringContaining("none of the tool's services is a database")]);
  expect((await call(owner, "unreached", {})).body.data.error.message).toMatch(/no database "shop" here/);
  const { warnings: data } = await make("other_data", "return 1", { permissions: ["database"] });
  expect(data ?? []).toEqual([]);
});

test("an agent is let by a word of it alone, also of one database; another tenant's has none", async () => {
  const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
  const asks = { database: "shop", sql: "SELECT 1 AS a" };
  expect((await query(agent, asks)).body.data?.result).toBeUndefined();
  await settings({
    rules: [{ tool: "database_query", argument: "/database", pattern: "shop", decision: "preApproved" }],
  });
  expect((await query(agent, asks)).body.data.result.rows).toEqual([{ a: 1 }]);
  expect((await query(agent, { ...asks, database: "ledger" })).body.data?.result).toBeUndefined();
  await settings({ tools: { database_query: "blocked" } });
  expect((await query(agent, asks)).body.code).toBe("tool.blocked");
  await settings({ tools: {}, rules: [] });
  expect((await query(stranger, asks)).body.data?.result).toBeUndefined();
  const shown = async () =>
    (await agent.get("/api/v1/built-in-tools")).body.data.tools.map(({ name }: { name: string }) => name);
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  await put({ deny: ["group:database"] });
  expect(await shown()).not.toContain("database_query");
  expect((await query(agent, asks)).body.code).toBe("tool.not_found");
  await put({});
  expect(await shown()).toContain("database_query");
  const { features } = (await owner.get("/api/v1/me")).body.data;
  expect([features.db, features.email]).toEqual([true, true]);
});
