import type { DatabaseAnswer } from "@bulkhead/core";
import { expect, test } from "vitest";
import { BoundedQuery } from "./bounded-query.ts";

const JSON_TYPE = 114;

/** The answer to rows with one column of JSON. */
function answerTo(rows: string[]): Promise<DatabaseAnswer> {
  const query = new BoundedQuery(
    { sql: "SELECT", params: [], timeoutMs: 1_000, rowsMax: 10, bytesMax: 100 },
    "SELECT",
  );
  query.handleRowDescription({ fields: [{ name: "a", dataTypeID: JSON_TYPE }] });
  for (const row of rows) query.handleDataRow({ fields: [row] });
  query.handleReadyForQuery();
  return query.answered;
}

test("a row that is longer than any answer takes is not taken apart", async () => {
  expect(await answerTo(["[1]", `[${" ".repeat(190)}2]`])).toMatchObject({
    rows: [{ a: [1] }, { a: [2] }],
    truncated: false,
  });
  // It is no JSON, which nobody looks at.
  expect(await answerTo(["[1]", "[".repeat(201)])).toMatchObject({ rows: [{ a: [1] }], truncated: true });
});
