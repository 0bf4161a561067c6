import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { asAdmin, copyDatabase, databaseUrl } from "./admin-statement.ts";

/** How a test file reaches the PostgreSQL of this run; the global setup provides it. */
export interface TestPostgres {
  /** The URL of the maintenance database, for the superuser. */
  adminUrl: string;
  /** A migrated, empty database to clone. */
  template: string;
}

declare module "vitest" {
  interface ProvidedContext {
    testPostgres: TestPostgres;
  }
}

export interface TestDatabase {
  readonly url: string;
  /** Runs a statement that no store has, such as one that makes a row old. */
  execute(statement: string): Promise<void>;
  /** Drops the database, even with connected clients. Safe to call again. */
  close(): Promise<void>;
}

/**
 * A migrated, empty database of the caller's own; open one per test file (some 30 ms each) and close it in `afterAll`.
 * Only for files of the projects integration, system and slow.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = inject("testPostgres");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await copyDatabase(adminUrl, name, template);
  return {
    url: databaseUrl(adminUrl, name),
    execute: (statement) => asAdmin(databaseUrl(adminUrl, name), statement),
    close: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  };
}
