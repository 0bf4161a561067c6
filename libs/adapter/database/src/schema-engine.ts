import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";

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
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const whole: SqlDriverAdapter["executeScript"] = async (sql) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    };
    return Object.assign(adapter, { executeScript: whole });
  }
}

/**
 * Applies what is not applied yet and records it in `_prisma_migrations`, as `prisma migrate deploy` does; each script
 * in one transaction. Answers the names of what it applied. Not safe when called by several at once.
 */
export async function applyMigrations(
  connectionString: string,
  migrations: MigrationList,
): Promise<string[]> {
  const Engine = await loadSchemaEngine();
  // One connection: the engine's own lock belongs to a session.
  const pool = new Pool({ connectionString, max: 1, application_name: "bulkhead-migrate" });
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const engine = await Engine.new({ datamodels: undefined }, () => undefined, adapter);
  try {
    const filters = { externalTables: [], externalEnums: [] };
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrations, filters });
    return appliedMigrationNames;
  } finally {
    engine.free();
    await pool.end();
  }
}
