import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";

/** Lets sessions that begin from now on tell their plans; before the product is started. The server ends with the part. */
export const mayTellPlans = (url: string): Promise<unknown> =>
  asked(
    url,
    "ALTER SYSTEM SET session_preload_libraries = 'auto_explain'",
    "SELECT pg_reload_conf()",
    "SELECT pg_sleep(0.5)",
  );

/**
 * The indexes of executions by which a request's statements were planned, by their names in the schema (a partition's has
 * another one), read from the server's own log: of those statements alone that name the tenant, since others look after the
 * queue meanwhile.
 */
export async function indexesRead(
  url: string,
  tenantId: string,
  request: () => Promise<unknown>,
): Promise<string[]> {
  const [place] = await asked<{ data_directory: string }>(url, "SHOW data_directory");
  const log = await open(join(dirname(place?.data_directory ?? ""), "postgres.log"));
  try {
    const from = (await log.stat()).size;
    await asked(url, "ALTER SYSTEM SET auto_explain.log_min_duration = 0", "SELECT pg_reload_conf()");
    // The backends read their settings between two statements.
    await setTimeout(SETTLE_MS);
    await request();
    await asked(url, "ALTER SYSTEM RESET auto_explain.log_min_duration", "SELECT pg_reload_conf()");
    await setTimeout(SETTLE_MS);
    const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(LOG_BYTES_MAX), position: from });
    const told = buffer.toString("utf8", 0, bytesRead).split("duration: ");
    const plans = told.filter((plan) => plan.includes(`'${tenantId}'`)).join("\n");
    const names = new Set([...plans.matchAll(/ using (\w+) on executions_\d/g)].map(([, name]) => name));
    const rows = await asked<{ name: string }>(
      url,
      `SELECT DISTINCT p.relname AS name FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        JOIN pg_class AS p ON p.oid = i.inhparent WHERE c.relname IN (${[...names].map((name) => `'${name}'`).join(", ") || "NULL"})`,
    );
    return rows.map(({ name }) => name).toSorted();
  } finally {
    await log.close();
  }
}

const SETTLE_MS = 300;
const LOG_BYTES_MAX = 8 * 2 ** 20;

/** One statement after another, since ALTER SYSTEM stands in no transaction; the last one's rows. */
async function asked<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
