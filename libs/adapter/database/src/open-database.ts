import { strict as assert } from "node:assert";
import type { ApiKeyStore, ExecutionStore, TenantStore, ToolStore } from "@bulkhead/domain";
import { openClient } from "./client.ts";
import { openExecutionStore } from "./executions/execution-store.ts";
import type { PrismaClient } from "./generated/client.ts";
import type { GroupCommitBounds } from "./group-commit.ts";
import { migrationNames } from "./migration-files.ts";
import { faulting, sqlStateOf } from "./sql-trouble.ts";
import { openApiKeyStore } from "./tenants/api-key-store.ts";
import { openTenantStore } from "./tenants/tenant-store.ts";
import { openToolStore } from "./tools/tool-store.ts";

export interface DatabaseOptions {
  url: string;
  /** Connections of each of the two pools of this process; the hot path needs few, since it shares its commits. */
  poolMax: number;
  /** Shown by the database beside each connection, as in `bulkhead-api`. */
  applicationName?: string;
  /** How long to wait for a connection. */
  connectMsMax?: number;
  /** How long one statement may take. */
  statementMsMax?: number;
  /** Of each of the group-committed operations. */
  groupCommit?: Partial<GroupCommitBounds>;
}

export interface Database {
  executions: ExecutionStore;
  tools: ToolStore;
  tenants: TenantStore;
  apiKeys: ApiKeyStore;
  /** Resolves when the database answers; throws `service.unavailable` within the bounds when it doesn't. */
  ping(): Promise<void>;
  /** Of the PostgreSQL server, as in `18.4`. Throws as `ping` does. */
  serverVersion(): Promise<string>;
  /** The migrations of this build that the database lacks; one indexed read. */
  pendingMigrations(): Promise<string[]>;
  /** Answers what was called, then lets go of the connections. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/** A caller is answered within waitMsMax + connectMsMax + statementMsMax and a grace of 2 s, whatever the database does. */
const DEFAULTS = { applicationName: "bulkhead", connectMsMax: 5_000, statementMsMax: 10_000 };

export const GROUP_COMMIT_BOUNDS: Readonly<GroupCommitBounds> = {
  itemsMax: 256,
  // In characters of JSON; a result of its own may have 4 MiB.
  weightMax: 8 * MIB,
  flightsMax: 1,
  waitingMax: 20_000,
  waitMsMax: 10_000,
};

/** Connects and hands out the stores. Throws `service.unavailable` when the database can't be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const client = openClient({ ...DEFAULTS, ...options, planning: "anew" });
  const byId = openClient({ ...DEFAULTS, ...options, planning: "once" });
  const executions = openExecutionStore(client, byId, { ...GROUP_COMMIT_BOUNDS, ...options.groupCommit });
  const known = await migrationNames();
  const database: Database = {
    executions,
    tools: openToolStore(client),
    tenants: openTenantStore(client),
    apiKeys: openApiKeyStore(client),
    ping: () => faulting(() => ping(client)),
    serverVersion: () => faulting(() => serverVersion(client)),
    pendingMigrations: () => faulting(() => pendingMigrations(client, known)),
    async close() {
      await executions.drain();
      await Promise.all([client.$disconnect(), byId.$disconnect()]);
    },
  };
  try {
    await database.ping();
  } catch (error) {
    await client.$disconnect();
    throw error;
  }
  return database;
}

async function ping(client: PrismaClient): Promise<void> {
  await client.$queryRaw`SELECT 1`;
}

async function serverVersion(client: PrismaClient): Promise<string> {
  const [row] = await client.$queryRaw<{ version: string }[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version`;
  assert(row, "a SELECT without FROM has a row");
  return row.version;
}

const UNDEFINED_TABLE = "42P01";

/** In an empty database everything is pending. */
async function pendingMigrations(client: PrismaClient, known: string[]): Promise<string[]> {
  try {
    const applied = await client.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
    const names = new Set(applied.map(({ name }) => name));
    return known.filter((name) => !names.has(name));
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return known;
    throw error;
  }
}
