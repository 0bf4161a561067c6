import { openTestDatabase, queryRows, type TestDatabase } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { read } from "./support/files.ts";

/** Every statement that the runbook gives operators, by its tables and columns as they are. */
const statements = [...read("deploy/RUNBOOK.md").matchAll(/^ *```sql\n([^]*?)^ *```$/gm)].flatMap(
  ([, text = ""]) =>
    text
      .split(";")
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ""),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test("there are some, and they only read", () => {
  expect(statements).toHaveLength(6);
  for (const statement of statements) expect(statement).toMatch(/^SELECT /);
});

test.each(statements)("PostgreSQL takes it: %s", async (statement) => {
  expect(await queryRows(database.url, statement)).toEqual([]);
});
