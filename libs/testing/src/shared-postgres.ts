import { createRequire } from "node:module";
import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import { asAdmin, databaseUrl } from "./admin-statement.ts";
import type { TestPostgres } from "./test-database.ts";

interface SharedPostgres {
  server: Promise<{ postgres: EmbeddedPostgres; facts: TestPostgres }>;
  users: number;
}

// Node itself loads it, as in the product; Vitest's module runner lacks `import.meta.resolve`.
const database: typeof import("@bulkhead/postgres") = createRequire(import.meta.url)("@bulkhead/postgres");

const TEMPLATE = "bulkhead_template";
/** Many files at a time, each with the pools of a whole product. */
const CONNECTIONS_MAX = 300;

// Vitest loads the global setup once per project, each time as a module of its own; the process is what they share.
const PLACE = Symbol.for("bulkhead.testing.postgres");
const shared = globalThis as typeof globalThis & { [PLACE]?: SharedPostgres };

/** Starts PostgreSQL for the first project of this run, hands the same one to the others. */
export async function usePostgres(): Promise<TestPostgres> {
  shared[PLACE] ??= { server: startPostgres(), users: 0 };
  shared[PLACE].users += 1;
  return (await shared[PLACE].server).facts;
}

/** Stops it when the last project has let go. */
export async function leavePostgres(): Promise<void> {
  const held = shared[PLACE];
  if (held === undefined) return;
  held.users -= 1;
  if (held.users > 0) return;
  delete shared[PLACE];
  const { postgres } = await held.server;
  await postgres.close();
}

async function startPostgres(): Promise<{ postgres: EmbeddedPostgres; facts: TestPostgres }> {
  const postgres = await openPostgres({ throwaway: true, connectionsMax: CONNECTIONS_MAX });
  try {
    const adminUrl = databaseUrl(postgres.url, "postgres");
    await asAdmin(adminUrl, `create database ${TEMPLATE}`);
    await database.migrate(databaseUrl(postgres.url, TEMPLATE));
    return { postgres, facts: { adminUrl, template: TEMPLATE } };
  } catch (cause) {
    await postgres.close();
    throw cause;
  }
}
