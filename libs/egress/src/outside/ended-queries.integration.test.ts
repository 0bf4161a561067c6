import type { DatabaseQuery, DatabaseServer } from "@bulkhead/core";
import { leakCheck, openTestDatabase, until, type TestDatabase } from "@bulkhead/testing";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parseEgressAllow } from "../egress-allow.ts";
import { LocalOrigins, never } from "../local-origins.ts";
import { makeSelfSigned } from "@bulkhead/process/self-signed";
import { openOutside, type Outside } from "./open-outside.ts";
import { speakTls } from "./speak-tls.ts";

leakCheck();

const origins = new LocalOrigins();
let database: TestDatabase;
let server: DatabaseServer;
let outside: Outside;

beforeAll(async () => {
  database = await openTestDatabase();
  const { hostname, port, username, password, pathname } = new URL(database.url);
  server = {
    host: hostname === "localhost" ? "127.0.0.1" : hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    tls: false,
    ca: null,
    writable: false,
  };
  const allow = parseEgressAllow("127.0.0.0/8");
  if (!allow.ok) throw new Error(allow.faults.join());
  outside = openOutside({ allow: allow.rules, lookup: async () => ["127.0.0.1"] });
});
afterEach(() => origins.close());
afterAll(async () => {
  await outside.close();
  await database.close();
});

const ask = (
  sql: string,
  params: DatabaseQuery["params"] = [],
  timeoutMs = 5_000,
  signal = never,
  at = server,
) =>
  outside.databases.query("ten_a", at, { sql, params, timeoutMs, rowsMax: 1_000, bytesMax: 100_000 }, signal);

/** Resolves once so many statements with the mark at their end are at work in the database. */
const untilActive = (wanted: number, mark: string): Promise<unknown> =>
  until(
    async () => {
      const active = "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1";
      const found = await ask(active, [`%${mark} */`]);
      return found.ok && found.rows[0]?.["n"] === wanted;
    },
    { what: `${wanted} statements at work` },
  );

const LIFTS = "SELECT set_config('statement_timeout', '0', true)";

test.each([
  ["lifts its own time-out", `${LIFTS}, pg_sleep(60)`],
  [
    "lifts it in a portion of its rows and goes on in the next",
    `${LIFTS}, CASE WHEN n > 200 THEN pg_sleep(60) END FROM generate_series(1, 1000) AS n`,
  ],
])("a query that %s ends all the same, in the database too", async (_, sql) => {
  const mark = randomBytes(6).toString("hex");
  expect(await ask(`${sql} /* ${mark} */`, [], 200)).toMatchObject({ ok: false, code: "timeout" });
  await untilActive(0, mark);
});

test.each(["in the clear", "by TLS"])(
  "a query that its run gives up ends in the database too, %s",
  async (how) => {
    const secure = makeSelfSigned(["db.test"]);
    const port = await origins.listen(createServer((socket) => speakTls(socket, secure, server.port)));
    const byTls = { ...server, host: "db.test", port, tls: true, ca: secure.cert };
    const mark = randomBytes(6).toString("hex");
    const run = new AbortController();
    const at = how === "by TLS" ? byTls : server;
    const given = ask(`SELECT pg_sleep(60) /* ${mark} */`, [], 50_000, run.signal, at);
    await untilActive(1, mark);
    run.abort();
    expect(await given).toMatchObject({ ok: false, code: "aborted" });
    await untilActive(0, mark);
  },
);
