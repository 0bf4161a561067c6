import { expect, test } from "vitest";
import { requireStatement } from "./statement.ts";

test.each([
  ["SELECT 1", "SELECT"],
  ["  select 1", "SELECT"],
  ["((SELECT 1))", "SELECT"],
  ["-- COMMIT\nSELECT 1", "SELECT"],
  ["/* a /* nested */ COMMIT */ WITH a AS (SELECT 1) TABLE a", "WITH"],
  ["\t/**/(--x\r\n VALUES (1))", "VALUES"],
  ["SHOW server_version", "SHOW"],
  ["EXPLAIN SELECT 1", "EXPLAIN"],
])("%j may be sent by everybody", (sql, command) => {
  expect(requireStatement(sql, false)).toBe(command);
});

test.each([
  "INSERT INTO a VALUES (1)",
  "update a set b = 1",
  "CREATE TABLE a ()",
  "CALL a()",
  "MERGE INTO a",
])("%j needs a service that is writable", (sql) => {
  expect(() => requireStatement(sql, false)).toThrow(
    /the service is read-only, so it takes no .*; a person can set writable of the service/,
  );
  expect(requireStatement(sql, true)).toBe(sql.split(" ")[0]?.toUpperCase());
});

test.each([
  "COMMIT",
  "commit and chain",
  "ROLLBACK",
  "ABORT",
  "END",
  "BEGIN",
  "START TRANSACTION READ WRITE",
  "PREPARE TRANSACTION 'a'",
  "PREPARE a AS SELECT 1",
  "EXECUTE a",
  "SAVEPOINT a",
  "RELEASE a",
  "SET TRANSACTION READ WRITE",
  "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
  "RESET ALL",
  "DISCARD ALL",
  "COPY a TO PROGRAM 'id'",
  "COPY a FROM '/etc/passwd'",
  "DO $$ BEGIN COMMIT; END $$",
  "LISTEN a",
  "NOTIFY a",
  "LOAD 'a'",
  "LOCK a",
  "GRANT a TO b",
  "VACUUM",
  "/* SELECT */ COMMIT",
  "/*/* SELECT */*/COMMIT",
  "-- SELECT\rCOMMIT",
  "DECLARE a CURSOR FOR SELECT 1",
])("%j is sent by nobody", (sql) => {
  for (const writable of [false, true])
    expect(() => requireStatement(sql, writable)).toThrow(/is not for tools: it may be SELECT/);
});

test.each([
  "",
  "  ",
  "-- SELECT 1",
  "/* SELECT",
  "1",
  '"SELECT" 1',
  "SELECT\u00e41",
  "select_1",
  ";SELECT 1",
  "\\d",
])("%j has no command", (sql) => {
  expect(() => requireStatement(sql, true)).toThrow("the statement has no command");
});
