import type { DatabaseQuery, DatabaseServer } from "@bulkhead/core";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { randomBytes } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { parseEgressAllow } from "../egress-allow.ts";
import { LocalOrigins, never } from "../local-origins.ts";
import { makeSelfSigned } from "@bulkhead/process/self-signed";
import { openOutside, type Outside } from "./open-outside.ts";
import { speakTls } from "./speak-tls.ts";

leakCheck();

const origins = new LocalOrigins();
const READER = `reader_${randomBytes(6).toString("hex")}`;
const PASSWORD = "pass-of-the-reader-1";
let database: TestDatabase;
let superuser: DatabaseServer;
let reader: DatabaseServer;
let outside: Outside;

const opened = (allow: string, lookup?: (name: string) => Promise<string[]>): Outside => {
  const parsed = parseEgressAllow(allow);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return openOutside({ allow: parsed.rules, ...(lookup && { lookup }) });
};

beforeAll(async () => {
  database = await openTestDatabase();
  const { hostname, port, username, password, pathname } = new URL(database.url);
  superuser = {
    host: hostname === "localhost" ? "127.0.0.1" : hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    tls: false,
    ca: null,
    writable: true,
  };
  reader = { ...superuser, user: READER, password: PASSWORD, writable: false };
  await database.execute(`
    CREATE TABLE things (id int PRIMARY KEY, name text);
    INSERT INTO things SELECT n, 'thing ' || n FROM generate_series(1, 1000) AS n;
    CREATE ROLE ${READER} LOGIN PASSWORD '${PASSWORD}';
    GRANT ALL ON things TO ${READER};
    CREATE FUNCTION adds() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO things VALUES (-1, ''x''); SELECT 1';
    CREATE PROCEDURE adds_and_commits() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO things VALUES (-2, 'x'); COMMIT; END $$;
  `);
  outside = opened("127.0.0.0/8");
});
afterEach(() => origins.close());
afterAll(async () => {
  await outside.close();
  await database.execute(`DROP OWNED BY ${READER}; DROP ROLE ${READER}`);
  await database.close();
});

const BOUNDS = { timeoutMs: 5_000, rowsMax: 1_000, bytesMax: 100_000 };
const ask = (
  sql: string,
  params: DatabaseQuery["params"] = [],
  server = reader,
  bounds: Partial<DatabaseQuery> = {},
  through = outside,
) => through.databases.query("ten_a", server, { ...BOUNDS, sql, params, ...bounds }, never);
const count = async (): Promise<unknown> => {
  const answer = await ask("SELECT count(*) AS n FROM things", [], superuser);
  return answer.ok && answer.rows[0]?.["n"];
};

describe("a query", () => {
  test("is answered in JSON, with its values bound", async () => {
    expect(await ask("SELECT id, name FROM things WHERE id = ANY($1) ORDER BY id", [[2, 1]])).toEqual({
      ok: true,
      columns: [
        { name: "id", type: "integer" },
        { name: "name", type: "text" },
      ],
      rows: [
        { id: 1, name: "thing 1" },
        { id: 2, name: "thing 2" },
      ],
      rowCount: 2,
      command: "SELECT",
      truncated: false,
    });
    const bound = "'; DROP TABLE things; --";
    expect(
      await ask("SELECT $1::text AS a, $2::jsonb AS b, $3::bool AS c", [bound, { d: 1 }, null]),
    ).toMatchObject({
      rows: [{ a: bound, b: { d: 1 }, c: null }],
    });
    expect(
      await ask(
        "SELECT 1::int8 AS a, 2 AS a, now() = now() AS b, '\\x00'::bytea AS c, '2026-01-02 03:04+02'::timestamptz AS d, '1 day'::interval AS e, ARRAY[1.50] AS f",
      ),
    ).toMatchObject({
      rows: [{ a: 1, a_2: 2, b: true, c: "AA==", d: "2026-01-02T01:04:00Z", e: "P1D", f: ["1.50"] }],
    });
  });

  test("brings no more rows and bytes than it may, and says so", async () => {
    const all = "SELECT id FROM things ORDER BY id";
    const some = await ask(all, [], reader, { rowsMax: 100 });
    expect(some).toMatchObject({ truncated: true, rowCount: 100 });
    expect(some.ok && some.rows.at(-1)).toEqual({ id: 100 });
    expect(await ask(all, [], reader, { rowsMax: 1_000 })).toMatchObject({
      truncated: false,
      rowCount: 1_000,
    });
    expect(await ask(all, [], reader, { rowsMax: 64 })).toMatchObject({ truncated: true, rowCount: 64 });
    expect(await ask(all, [], reader, { bytesMax: 100 })).toMatchObject({ truncated: true, rowCount: 10 });
    const endless = await ask("SELECT repeat('x', 1000) FROM things AS a, things AS b, things AS c");
    expect(endless).toMatchObject({ ok: true, truncated: true, rowCount: 98 });
    expect(await ask("SELECT repeat('x', 20000000)")).toMatchObject({ ok: false, code: "capability_limit" });
  });

  test("ends when its time is over, or its run", async () => {
    expect(await ask("SELECT pg_sleep(60)", [], reader, { timeoutMs: 100 })).toMatchObject({
      ok: false,
      code: "timeout",
      message: expect.stringContaining("SQLSTATE 57014"),
    });
    const controller = new AbortController();
    const query = { ...BOUNDS, sql: "SELECT pg_sleep(60)", params: [] };
    const given = outside.databases.query("ten_a", reader, query, controller.signal);
    setImmediate(() => controller.abort());
    expect(await given).toMatchObject({ ok: false, code: "aborted" });
  });

  test.each([
    [
      "SELECT * FROM nothing",
      "invalid_request",
      /relation "nothing" does not exist.*SQLSTATE 42P01, at character 15/,
    ],
    ["SELECT 1; SELECT 2", "invalid_request", /multiple commands.*42601/],
    ["SELECT 1; COMMIT; DROP TABLE things", "invalid_request", /multiple commands/],
    ["SELECT 'a'::int", "invalid_request", /22P02/],
    ["SELECT $1", "invalid_request", /08P01|requires/],
    ["SELECT", "invalid_request", null],
    ["INSERT INTO things VALUES (0, 'x')", "capability_denied", /read-only, so it takes no INSERT/],
    ["WITH a AS (DELETE FROM things RETURNING id) SELECT * FROM a", "capability_denied", /25006/],
    ["SELECT adds()", "capability_denied", /25006/],
    ["EXPLAIN ANALYZE DELETE FROM things", "capability_denied", /25006/],
    ["SELECT * INTO TABLE other FROM things", "capability_denied", /25006/],
    [
      "SELECT set_config('transaction_read_only', 'off', true), adds()",
      "invalid_request",
      /25001|read-write/,
    ],
    ["SELECT nextval('a')", "invalid_request", /42P01/],
  ])("%s is refused in the server's words", async (sql, code, message) => {
    const before = await count();
    const answer = await ask(sql);
    if (message !== null) {
      expect(answer).toMatchObject({ ok: false, code });
      expect(answer.ok || answer.message).toMatch(message);
    }
    expect(await count()).toBe(before);
  });

  test("leaves nothing in a session for the next one", async () => {
    await ask("SELECT set_config('bulkhead.left', 'x', false), pg_advisory_lock(42)", [], superuser);
    const next = "SELECT current_setting('bulkhead.left', true) AS a, pg_try_advisory_lock(42) AS b";
    expect(await ask(next, [], superuser)).toMatchObject({ rows: [{ a: null, b: true }] });
  });

  test("changes data where its service may, as a whole or not at all", async () => {
    const before = Number(await count());
    expect(
      await ask(
        "INSERT INTO things SELECT n, $1 FROM generate_series(5001, 5100) AS n RETURNING id",
        ["x"],
        superuser,
        {
          rowsMax: 10,
        },
      ),
    ).toMatchObject({ ok: true, command: "INSERT", rowCount: 10, truncated: true });
    expect(await count()).toBe(before + 100);
    expect(await ask("DELETE FROM things WHERE id > 5000", [], superuser)).toMatchObject({
      ok: true,
      command: "DELETE",
      rowCount: 100,
      rows: [],
    });
    expect(await ask("INSERT INTO things VALUES (1, 'x')", [], superuser)).toMatchObject({
      ok: false,
      code: "conflict",
    });
    expect(await ask("CALL adds_and_commits()", [], superuser)).toMatchObject({
      ok: false,
      message: expect.stringContaining("2D000"),
    });
    expect(await count()).toBe(before);
  });
});

describe("a database", () => {
  test("that lets nobody in says so without who asked", async () => {
    for (const wrong of [{ user: "nobody_of_this_name" }, { database: "nothing_of_this_name" }]) {
      const answer = await ask("SELECT 1", [], { ...reader, ...wrong });
      expect(answer).toMatchObject({ ok: false, code: "failed" });
      expect(JSON.stringify(answer)).not.toMatch(/of_this_name|127\.0|pass-of/);
    }
  });

  test("that isn't open to tools is not asked", async () => {
    const closed = opened("");
    expect(await ask("SELECT 1", [], reader, {}, closed)).toMatchObject({ code: "egress_denied" });
    for (const host of [
      "169.254.169.254",
      "0x7f.1",
      "2130706433",
      "::ffff:127.0.0.1",
      "localhost",
      "db.internal",
    ])
      expect(await ask("SELECT 1", [], { ...reader, host, tls: true }, {}, closed)).toMatchObject({
        ok: false,
        code: "egress_denied",
      });
    const rebinding = opened("", async () => ["93.184.216.34", "127.0.0.1"]);
    expect(
      await ask("SELECT 1", [], { ...reader, host: "db.example.com", tls: true }, {}, rebinding),
    ).toMatchObject({ code: "egress_denied" });
    const plain = opened("", async () => ["93.184.216.34"]);
    expect(await ask("SELECT 1", [], { ...reader, host: "db.example.com" }, {}, plain)).toMatchObject({
      code: "egress_denied",
      message: expect.stringContaining("in the clear"),
    });
    expect(await ask("SELECT 1", [], { ...reader, port: 25 })).toMatchObject({ code: "egress_denied" });
    for (const host of ["a/b", "a@b", "a:1", "", "a?b"])
      expect(await ask("SELECT 1", [], { ...reader, host })).toMatchObject({ code: "invalid_request" });
  });

  test("without TLS is not asked in the clear instead", async () => {
    expect(await ask("SELECT 1", [], { ...reader, tls: true })).toMatchObject({
      ok: false,
      code: "failed",
      message: expect.stringContaining("does not speak TLS"),
    });
  });

  test("is reached by TLS at the address that was looked up once, with a certificate that is checked", async () => {
    const { key, cert } = makeSelfSigned(["db.test"]);
    const port = await origins.listen(
      createServer((socket) => speakTls(socket, { key, cert }, superuser.port)),
    );
    const asked: string[] = [];
    const named = opened("127.0.0.0/8", async (name) => {
      asked.push(name);
      return ["127.0.0.1"];
    });
    const server = { ...reader, host: "db.test", port, tls: true, ca: cert };
    expect(await ask("SELECT 1 AS a", [], server, {}, named)).toMatchObject({ rows: [{ a: 1 }] });
    expect(asked).toEqual(["db.test"]);
    for (const wrong of [{ ca: null }, { host: "other.test" }]) {
      const answer = await ask("SELECT 1", [], { ...server, ...wrong }, {}, named);
      expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/its certificate is/) });
    }
  });

  test.each([
    ["hangs up", (socket: Socket) => socket.destroy()],
    ["talks of something else", (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["sends without an end", (socket: Socket) => flood(socket)],
  ])("that %s is a refusal", async (_what, talk) => {
    const port = await origins.listen(createServer((socket) => socket.once("data", () => talk(socket))));
    const answer = await ask("SELECT 1", [], { ...reader, host: "127.0.0.1", port }, { bytesMax: 1_024 });
    expect(answer.ok).toBe(false);
  });
});

/** The beginning of a message that says it is as long as may be, and more and more of it. */
function flood(socket: Socket): void {
  const zeros = Buffer.alloc(1_024 * 1_024);
  const more = (): void => {
    if (!socket.destroyed) socket.write(zeros, more);
  };
  socket.write(Buffer.from([0x45, 0x7f, 0xff, 0xff, 0xff]), more);
}
