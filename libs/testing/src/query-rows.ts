import { Pool } from "pg";

/** A connection that nobody used for so long is closed; milliseconds. */
const IDLE_MS_MAX = 500;
const CONNECTIONS_MAX = 20;

/** By URL. A connection costs PostgreSQL some 20 ms of a processor, and tests that poll ask many times a second. */
const pools = new Map<string, Pool>();

function poolOf(url: string): Pool {
  const known = pools.get(url);
  if (known) return known;
  const settings = { max: CONNECTIONS_MAX, idleTimeoutMillis: IDLE_MS_MAX, allowExitOnIdle: true };
  const pool = new Pool({ connectionString: url, ...settings });
  // A connection that breaks while it is idle is left out; during a query, the query itself reports it.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  pools.set(url, pool);
  return pool;
}

/** Rows by plain SQL on a connection of the tests' own, which must not ask the product for its data. */
export async function queryRows(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = await poolOf(url).connect();
  // What failed may have left a transaction open: its connection serves nobody else.
  let isBroken = true;
  try {
    const { rows } = await client.query(statement, values);
    isBroken = false;
    return rows;
  } finally {
    client.release(isBroken);
  }
}
