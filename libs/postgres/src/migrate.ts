import { Fault } from "@bulkhead/core";
import { DatabaseError, type Client } from "pg";
import { readMigrations } from "./migration-files.ts";
import { openSession } from "./open-session.ts";
import { applyMigrations } from "./schema-engine.ts";
import { LOCK_NOT_AVAILABLE, TableLocked, untilUnlocked, type LockPatience } from "./table-locked.ts";

/**
 * How many weeks of executions have their partition ahead of time. Workers make them every hour and a default partition
 * catches what comes later all the same; each one more costs every statement a little.
 */
export const PARTITION_WEEKS_AHEAD = 3;
/** How long one process waits for another that migrates. */
const LOCK_MS_MAX = 120_000;
/** After so long it says what it waits for. */
const LOCK_SILENT_MS = 2_000;
const HOLDER =
  "it is the other one in: SELECT pid, client_addr, state, query FROM pg_stat_activity WHERE application_name = 'bulkhead-migrate'";
/** How a migration waits for whoever uses its tables, be it a dump that takes hours. */
const LOCK_PATIENCE: Readonly<LockPatience> = { lockMsMax: 3_000, pauseMs: 2_000, totalMsMax: 60_000 };

export interface MigrateOptions {
  /** Told one line for each step worth knowing. */
  log?: (line: string) => void;
  /** Told one line where it waits for somebody else, and again when it still does; `log` when unset. */
  waiting?: (line: string) => void;
  /** `LOCK_PATIENCE` when unset. */
  patience?: LockPatience;
}

/**
 * Brings the database up to this build and makes the partitions of the coming weeks. Answers the names of the
 * migrations that it applied itself; a second call, or the loser of a race, answers none. Several processes may call
 * it at once: one at a time gets to work. Nobody waits behind it for a table for longer than `patience.lockMsMax`. Throws
 * `service.unavailable` when the database can't be reached, or its tables are in use for longer than the patience.
 */
export async function migrate(
  databaseUrl: string,
  { log = () => undefined, waiting = log, patience = LOCK_PATIENCE }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations();
  const session = await openSession(databaseUrl, "bulkhead-migrate");
  try {
    await takeLock(session, waiting);
    const before = await appliedNames(session);
    await untilUnlocked(patience, waiting, () =>
      applyMigrations(databaseUrl, migrations, patience.lockMsMax),
    );
    const applied = (await appliedNames(session)).filter((name) => !before.includes(name));
    for (const name of applied) log(`applied ${name}`);
    await untilUnlocked(patience, waiting, () => makePartitions(session));
    if (applied.length === 0) log("the database is up to date");
    return applied;
  } finally {
    await session.end();
  }
}

/** A session of its own holds it, so that it ends with this process, however that ends. */
async function takeLock(session: Client, waiting: (line: string) => void): Promise<void> {
  await session.query(`SET lock_timeout = ${LOCK_MS_MAX}`);
  const silent = setTimeout(
    () =>
      waiting(
        `waiting for another process that migrates this database, at most ${LOCK_MS_MAX / 1_000} s; ${HOLDER}`,
      ),
    LOCK_SILENT_MS,
  );
  try {
    await session.query("SELECT pg_advisory_lock(hashtextextended('bulkhead.migrate', 0))");
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || cause.code !== LOCK_NOT_AVAILABLE) throw cause;
    const internal = `Another process has been migrating this database for ${LOCK_MS_MAX / 1_000} s; ${HOLDER}`;
    throw new Fault("service.unavailable", { internal, cause });
  } finally {
    clearTimeout(silent);
  }
}

/** In the order in which they were applied. */
async function appliedNames(session: Client): Promise<string[]> {
  const known = await session.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known");
  if (known.rows[0].known !== true) return [];
  const { rows } = await session.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY finished_at, migration_name`,
  );
  return rows.map(({ name }) => name);
}

/** The function has a lock timeout of its own. */
async function makePartitions(session: Client): Promise<void> {
  try {
    await session.query("SELECT ensure_execution_partitions($1::int)", [PARTITION_WEEKS_AHEAD]);
  } catch (error) {
    throw error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
      ? new TableLocked(error)
      : error;
  }
}
