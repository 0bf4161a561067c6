import { readdir, readFile } from "node:fs/promises";
import type { MigrationList } from "@prisma/schema-engine-wasm";

const FOLDER = new URL("../../../prisma/migrations/", import.meta.url);
const LOCKFILE = "migration_lock.toml";
const SCRIPT = "migration.sql";

/** The names of all migrations that this build knows, in the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** The migrations with their scripts, as the schema engine wants them. */
export async function readMigrations(): Promise<MigrationList> {
  const names = await migrationNames();
  return {
    baseDir: "prisma/migrations",
    lockfile: { path: LOCKFILE, content: await readFile(new URL(LOCKFILE, FOLDER), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: SCRIPT,
          content: {
            tag: "ok" as const,
            value: await readFile(new URL(`${name}/${SCRIPT}`, FOLDER), "utf8"),
          },
        },
      })),
    ),
  };
}
