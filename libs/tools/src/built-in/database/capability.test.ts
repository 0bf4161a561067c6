import type { CapabilityRun, DatabaseQuery, DatabaseServer } from "@bulkhead/core";
import { expect, test } from "vitest";
import { service } from "../messages/fixtures/message-world.ts";
import { openDatabases } from "./capability.ts";

const NEVER = new AbortController().signal;
const SHOP = service(
  "postgres",
  {
    host: "db.example.com",
    port: 5_432,
    database: "shop",
    user: "reader",
    ssl: "verify",
    writable: false,
    statementTimeoutMs: 10_000,
    maxRows: 1_000,
    maxBytes: 500_000,
  },
  { password: "pass-of-the-reader" },
  "shop",
);

/** What a run with these services asks of databases. */
function asking(...services: (typeof SHOP)[]) {
  const asked: { tenantId: string; server: DatabaseServer; query: DatabaseQuery }[] = [];
  const family = openDatabases({
    query: async (tenantId, server, query) => {
      asked.push({ tenantId, server, query });
      const told = { columns: [], rows: [{ a: 1 }], rowCount: 1, command: "SELECT", truncated: false };
      return { ok: true, ...told };
    },
  });
  const caller = {
    tenantId: "ten_a",
    executionId: "exe_1",
    toolName: "a",
    agentId: null,
    userId: null,
    services,
    way: null,
    run: {} as CapabilityRun,
  };
  const ask = (args: object, operation = "query") =>
    family.run({ operation, arguments: JSON.parse(JSON.stringify(args)), content: null }, caller, NEVER);
  return { asked, ask };
}

test("a query goes to the service's database within the service's bounds, and models are shown less at once", async () => {
  const { asked, ask } = asking(SHOP);
  const args = { database: "shop", sql: "SELECT $1", params: [[1], { a: null }] };
  expect(await ask(args)).toEqual({
    ok: true,
    value: { columns: [], rows: [{ a: 1 }], rowCount: 1, command: "SELECT", truncated: false },
  });
  expect(asked).toEqual([
    {
      tenantId: "ten_a",
      server: {
        host: "db.example.com",
        port: 5_432,
        database: "shop",
        user: "reader",
        password: "pass-of-the-reader",
        tls: true,
        ca: null,
        writable: false,
      },
      query: {
        sql: "SELECT $1",
        params: [[1], { a: null }],
        timeoutMs: 10_000,
        rowsMax: 1_000,
        bytesMax: 500_000,
      },
    },
  ]);
  await ask(args, "show");
  expect(asked.at(-1)?.query.bytesMax).toBe(65_536);
});

test("TLS and writing are as the service says", async () => {
  const [entry] = SHOP.entries;
  const values = { ...entry!.values, ssl: "off", writable: true };
  const { asked, ask } = asking({ ...SHOP, entries: [{ ...entry!, values }] });
  await ask({ database: "shop", sql: "SELECT 1" });
  expect(asked[0]?.server).toMatchObject({ tls: false, writable: true });
});

test.each([
  [{ sql: "SELECT 1" }, /^database: /],
  [{ database: "shop" }, /^sql: /],
  [{ database: "shop", sql: "" }, /^sql: /],
  [{ database: "shop", sql: "a".repeat(65_537) }, /^sql: /],
  [{ database: "shop", sql: "a", params: "b" }, /^params: /],
  [{ database: "shop", sql: "a", params: Array.from({ length: 501 }, () => 1) }, /^params: /],
  [{ database: "shop", sql: "a", params: ["x".repeat(262_144)] }, /^params: must not have more/],
  [{ database: "shop", sql: "a", password: "b" }, /password/],
])("bad arguments are refused by their names: %#", async (args, message) => {
  const { asked, ask } = asking(SHOP);
  expect(await ask(args)).toMatchObject({
    ok: false,
    code: "invalid_request",
    message: expect.stringMatching(message),
  });
  expect(asked).toEqual([]);
});

test.each([
  ["one that the tool doesn't name", { database: "others" }, [SHOP], /no database "others" here/],
  ["a service of another kind", { database: "slack" }, [service("slack", {})], /no database "slack" here/],
  [
    "one that nobody has filled in",
    { database: "shop" },
    [{ ...SHOP, entries: [] }],
    /is not configured yet/,
  ],
])("%s is not there", async (_what, args, services, message) => {
  const { asked, ask } = asking(...services);
  expect(await ask({ ...args, sql: "SELECT 1" })).toMatchObject({
    code: "not_found",
    message: expect.stringMatching(message),
  });
  expect(asked).toEqual([]);
});
