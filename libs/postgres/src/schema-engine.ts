import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  isDriverAdapterError,
  type SqlDriverAdapter,
} from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";
import { LOCK_NOT_AVAILABLE, TableLocked } from "./table-locked.ts";

/**
 * Prisma's schema engine as WebAssembly: nothing is downloaded. Loaded by hand instead of by its entry file, whose
 * import of a module instance Node still calls experimental, with a warning at every start.
 */
async function instantiate(): Promise<typeof SchemaEngine> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  // Not import.meta.resolve, which Vitest's module runner lacks.
  const glue = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const code = await readFile(join(dirname(glue), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(code, {
    "./schema_engine_bg.js": withIdleTimers(bindings),
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

let loaded: Promise<typeof SchemaEngine> | undefined;

/** Once for each process, as an import would: the glue knows one instance only, and a second breaks the first. */
const loadSchemaEngine = (): Promise<typeof SchemaEngine> => (loaded ??= instantiate());

/** The engine never clears the timer of its lock (10 s), which would keep a process that is done alive. */
function withIdleTimers(bindings: object): object {
  const idle = (run: () => void, ms: number) => setTimeout(run, ms).unref();
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [
      name,
      name.startsWith("__wbg_setTimeout_") ? idle : value,
    ]),
  );
}

/** Sends a script as it is: the adapter's own way cuts it at every semicolon, also inside a function's body. */
class WholeScripts extends PrismaPg {
  readonly #lockMsMax: number;
  /** The SQLSTATE with which the database refused a script; null while it refused none. */
  refusal: string | null = null;

  constructor(pool: Pool, lockMsMax: number) {
    super(pool);
    this.#lockMsMax = lockMsMax;
  }

  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const send = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
    const whole: SqlDriverAdapter["executeScript"] = async (sql) => {
      // With each script, since it holds for the session only: a statement that waits for a lock lets nobody pass.
      await send(`SET lock_timeout = ${this.#lockMsMax}`);
      try {
        await send(sql);
      } catch (error) {
        this.refusal = sqlStateOf(error);
        throw error;
      }
    };
    return Object.assign(adapter, { executeScript: whole });
  }
}

/** The five characters; null where the database gave no answer. */
function sqlStateOf(error: unknown): string | null {
  if (!isDriverAdapterError(error)) return null;
  return error.cause.originalCode ?? null;
}

/**
 * Applies what is not applied yet and records it in `_prisma_migrations`, as `prisma migrate deploy` does; each script
 * in one transaction, which waits `lockMsMax` for a table at most. Throws `TableLocked` where that was too short. What a
 * script refused by the database leaves is a row that says it was rolled back, so the next call tries it again. Not safe
 * when called by several at once.
 */
export async function applyMigrations(
  connectionString: string,
  migrations: MigrationList,
  lockMsMax: number,
): Promise<void> {
  const Engine = await loadSchemaEngine();
  // One connection: the engine's own lock belongs to a session.
  const pool = new Pool({ connectionString, max: 1, application_name: "bulkhead-migrate" });
  const scripts = new WholeScripts(pool, lockMsMax);
  const adapter = bindMigrationAwareSqlAdapterFactory(scripts);
  const engine = await Engine.new({ datamodels: undefined }, () => undefined, adapter);
  try {
    const filters = { externalTables: [], externalEnums: [] };
    await engine.applyMigrations({ migrationsList: migrations, filters });
  } catch (error) {
    if (isRolledBack(scripts.refusal)) await markRolledBack(pool);
    throw scripts.refusal === LOCK_NOT_AVAILABLE ? new TableLocked(error) : error;
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Whether the database refused the script; where the connection broke, its end may have been committed all the same. */
const isRolledBack = (sqlState: string | null): boolean => sqlState !== null && !/^(08|57P)/.test(sqlState);

/** The engine takes a row without an end for a script that may have done half of its work, and would never go on. */
async function markRolledBack(pool: Pool): Promise<void> {
  const { rows } = await pool.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known");
  if (rows[0].known !== true) return;
  // It runs no script while there is such a row, so this one is of the script that was just refused.
  await pool.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
}
