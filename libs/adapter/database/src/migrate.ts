import { Fault } from "@bulkhead/faults";
import { Client } from "pg";
import { readMigrations } from "./migration-files.ts";
import { applyMigrations } from "./schema-engine.ts";

/**
 * How many weeks of executions have their partition ahead of time. Workers make them every hour and a default partition
 * catches what comes later all the same; each one more costs every statement a little.
 */
export const PARTITION_WEEKS_AHEAD = 3;
const CONNECT_MS_MAX = 5_000;
/** How long one process waits for another that migrates. */
const LOCK_MS_MAX = 120_000;

export interface MigrateOptions {
  /** Told one line for each step worth knowing. */
  log?: (line: string) => void;
}

/**
 * Brings the database up to this build and makes the partitions of the coming weeks. Answers the names of the
 * migrations that it applied itself; a second call, or the loser of a race, answers none. Several processes may call
 * it at once: one at a time gets to work. Throws `service.unavailable` when the database can't be reached.
 */
export async function migrate(databaseUrl: string, { log }: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations();
  const session = await connect(databaseUrl);
  try {
    await session.query(`SET lock_timeout = ${LOCK_MS_MAX}`);
    // A session of its own holds the lock, so that it ends with this process, however that ends.
    await session.query("SELECT pg_advisory_lock(hashtextextended('bulkhead.migrate', 0))");
    const applied = await applyMigrations(databaseUrl, migrations);
    for (const name of applied) log?.(`applied ${name}`);
    await session.query("SELECT ensure_execution_partitions($1::int)", [PARTITION_WEEKS_AHEAD]);
    if (applied.length === 0) log?.("the database is up to date");
    return applied;
  } finally {
    await session.end();
  }
}

async function connect(databaseUrl: string): Promise<Client> {
  const session = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    application_name: "bulkhead-migrate",
  });
  // What breaks while a query is under way is told by that query; between queries the next one tells it.
  session.on("error", () => undefined);
  try {
    await session.connect();
    return session;
  } catch (cause) {
    const internal = `The database at ${placeOf(databaseUrl)} can't be reached: ${reasonOf(cause)}`;
    throw new Fault("service.unavailable", { internal, cause });
  }
}

/** Host, port and database, without user and password. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "(not a URL)";
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** Of several addresses that were tried in vain, each says why; the error around them says nothing. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join("; ");
  return cause instanceof Error ? cause.message : String(cause);
}
