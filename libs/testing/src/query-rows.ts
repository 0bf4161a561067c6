import { Client } from "pg";

/** Rows by plain SQL on a connection of its own, for tests that must not ask the product for its data. */
export async function queryRows(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // The query itself reports a connection that breaks during it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
