import { strict as assert } from "node:assert";
import type {
  ApiKeyStore,
  ApprovalStore,
  AuditStore,
  ConfigStore,
  DataKeyStore,
  DeliveryStore,
  DeviceStore,
  ErasureStore,
  LogStore,
  McpAccessStore,
  McpServerStore,
  DryRunStore,
  ExecutionStats,
  ExecutionStore,
  DataStore,
  FileStore,
  McpTools,
  MemoryIndex,
  MessageCounts,
  MetaToolApprovalStore,
  PolicyStore,
  ScheduleStore,
  ScrubCountStore,
  ScrubRuleStore,
  TenantDeletionStore,
  TenantExportStore,
  TenantStore,
  ToolCatalogue,
  ToolStore,
  UsageStore,
  WebhookSecretStore,
} from "@bulkhead/core";
import type { Pool } from "pg";
import { openApprovalStore } from "./approvals/approval-store.ts";
import { openMetaToolApprovalStore } from "./approvals/meta-tool-approval-store.ts";
import { openAuditStore } from "./audit/audit-store.ts";
import { openConfigStore } from "./config/config-store.ts";
import { openScrubCountStore, openScrubRuleStore } from "./config/scrub-stores.ts";
import { openClient, openPool } from "./client.ts";
import { openDataStore } from "./data/data-store.ts";
import { openDataKeyStore } from "./data-keys/data-key-store.ts";
import { openDeliveryStore } from "./deliveries/delivery-store.ts";
import { openDeviceStore } from "./devices/device-store.ts";
import { openErasureStore } from "./erasures/erasure-store.ts";
import { openLogStore } from "./logs/log-store.ts";
import { openMcpAccessStore } from "./mcp/mcp-access-store.ts";
import { openMcpServerStore } from "./mcp/mcp-server-store.ts";
import { openWebhookSecretStore } from "./deliveries/webhook-secret-store.ts";
import { openExecutionStats } from "./executions/execution-stats.ts";
import { openExecutionStore } from "./executions/execution-store.ts";
import { openFileStore } from "./files/file-store.ts";
import { openMemoryIndex } from "./memory/memory-index.ts";
import { openMessageCounts } from "./limits/message-counts.ts";
import type { PrismaClient } from "./generated/client.ts";
import type { GroupCommitBounds } from "./group-commit.ts";
import { migrationNames } from "./migration-files.ts";
import { openSession } from "./open-session.ts";
import { requireUtc } from "./require-utc.ts";
import { openScheduleStore } from "./schedules/schedule-store.ts";
import { driverStatements } from "./statements.ts";
import { faulting, sqlStateOf, UNDEFINED_TABLE } from "./sql-trouble.ts";
import { openApiKeyStore } from "./tenants/api-key-store.ts";
import { openTenantDeletionStore } from "./tenants/deletion-store.ts";
import { openTenantExportStore } from "./tenants/export-store.ts";
import { openPolicyStore } from "./tenants/policy-store.ts";
import { openTenantStore } from "./tenants/tenant-store.ts";
import { openDryRunStore } from "./tools/dry-run-store.ts";
import { openMcpTools } from "./tools/mcp-tools.ts";
import { openToolCatalogue } from "./tools/tool-catalogue.ts";
import { openToolStore } from "./tools/tool-store.ts";
import { openUsageStore } from "./usage/usage-store.ts";

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
  /** Whether this process has no processor time to spare: then writes wait some milliseconds for company. */
  isSaturated?: () => boolean;
}

export interface Database {
  executions: ExecutionStore;
  executionStats: ExecutionStats;
  approvals: ApprovalStore;
  auditEntries: AuditStore;
  configServices: ConfigStore;
  metaToolApprovals: MetaToolApprovalStore;
  tools: ToolStore;
  mcpTools: McpTools;
  dryRuns: DryRunStore;
  catalogue: ToolCatalogue;
  policies: PolicyStore;
  mcpServers: McpServerStore;
  mcpAccess: McpAccessStore;
  schedules: ScheduleStore;
  scrubRules: ScrubRuleStore;
  scrubCounts: ScrubCountStore;
  tenants: TenantStore;
  tenantExports: TenantExportStore;
  tenantDeletions: TenantDeletionStore;
  apiKeys: ApiKeyStore;
  deliveries: DeliveryStore;
  devices: DeviceStore;
  logs: LogStore;
  erasures: ErasureStore;
  files: FileStore;
  data: DataStore;
  messageCounts: MessageCounts;
  memory: MemoryIndex;
  webhookSecrets: WebhookSecretStore;
  dataKeys: DataKeyStore;
  usage: UsageStore;
  /** Resolves when the database answers; throws `service.unavailable` within the bounds when it doesn't. */
  ping(): Promise<void>;
  /** Of the PostgreSQL server, as in `18.4`. Throws as `ping` does. */
  serverVersion(): Promise<string>;
  /** The migrations of this build that the database lacks; one indexed read. */
  pendingMigrations(): Promise<string[]>;
  /** The connections of this process at this moment; `waiting` are callers for whom none is free. */
  connections(): { used: number; idle: number; waiting: number };
  /** Answers what was called, then lets go of the connections. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/** A caller is answered within waitMsMax + connectMsMax + statementMsMax and a grace of 2 s, whatever the database does. */
const DEFAULTS = { applicationName: "bulkhead", connectMsMax: 5_000, statementMsMax: 10_000 };

const GROUP_COMMIT_BOUNDS: Readonly<GroupCommitBounds> = {
  itemsMax: 256,
  // In characters of JSON; a result of its own may have 4 MiB.
  weightMax: 8 * MIB,
  flightsMax: 1,
  waitingMax: 20_000,
  waitMsMax: 10_000,
};

/** Connects and hands out the stores. Throws `service.unavailable` when the database can't be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  // First, past Prisma, whose errors bury the reason.
  await (await openSession(options.url, options.applicationName ?? DEFAULTS.applicationName)).end();
  const anew = { ...DEFAULTS, ...options, planning: "anew" } as const;
  const once = { ...DEFAULTS, ...options, planning: "once" } as const;
  const pools = [openPool(anew), openPool(once)] as const;
  const client = openClient(anew, pools[0]);
  const byId = openClient(once, pools[1]);
  const bounds = { ...GROUP_COMMIT_BOUNDS, ...options.groupCommit };
  const executions = openExecutionStore(
    client,
    byId,
    driverStatements(pools[1]),
    bounds,
    options.isSaturated,
  );
  const disconnect = async (): Promise<void> => {
    await Promise.all([client.$disconnect(), byId.$disconnect()]);
    // A client that was asked nothing leaves its pool alone.
    await Promise.all(pools.filter(({ ending }) => !ending).map((pool) => pool.end()));
  };
  const known = await migrationNames();
  const database: Database = {
    executions,
    executionStats: openExecutionStats(pools[0]),
    approvals: openApprovalStore(client),
    auditEntries: openAuditStore(client),
    configServices: openConfigStore(client),
    metaToolApprovals: openMetaToolApprovalStore(client),
    tools: openToolStore(client),
    mcpTools: openMcpTools(client),
    dryRuns: openDryRunStore(client),
    catalogue: openToolCatalogue(client),
    policies: openPolicyStore(client),
    mcpServers: openMcpServerStore(client),
    mcpAccess: openMcpAccessStore(client),
    schedules: openScheduleStore(client),
    scrubRules: openScrubRuleStore(client),
    scrubCounts: openScrubCountStore(client),
    tenants: openTenantStore(client),
    tenantExports: openTenantExportStore(client),
    tenantDeletions: openTenantDeletionStore(client),
    apiKeys: openApiKeyStore(client),
    deliveries: openDeliveryStore(byId),
    devices: openDeviceStore(client),
    logs: openLogStore(byId),
    erasures: openErasureStore(byId),
    files: openFileStore(pools[0]),
    data: openDataStore(pools[0]),
    messageCounts: openMessageCounts(pools[0]),
    memory: openMemoryIndex(pools[0]),
    webhookSecrets: openWebhookSecretStore(client),
    dataKeys: openDataKeyStore(client),
    usage: openUsageStore(pools[0]),
    ping: () => faulting(() => ping(client)),
    serverVersion: () => faulting(() => serverVersion(client)),
    pendingMigrations: () => faulting(() => pendingMigrations(client, known)),
    connections: () => connectionsOf(pools),
    async close() {
      await executions.drain();
      await disconnect();
    },
  };
  try {
    await database.ping();
    await faulting(() => requireUtc(client));
  } catch (error) {
    await disconnect();
    throw error;
  }
  return database;
}

function connectionsOf(pools: readonly Pool[]): ReturnType<Database["connections"]> {
  const counts = { used: 0, idle: 0, waiting: 0 };
  for (const { totalCount, idleCount, waitingCount } of pools) {
    counts.used += totalCount - idleCount;
    counts.idle += idleCount;
    counts.waiting += waitingCount;
  }
  return counts;
}

// In SQL: questions to the server, not to a table.

async function ping(client: PrismaClient): Promise<void> {
  await client.$queryRaw`SELECT 1`;
}

async function serverVersion(client: PrismaClient): Promise<string> {
  const [row] = await client.$queryRaw<{ version: string }[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version`;
  assert(row, "a SELECT without FROM has a row");
  return row.version;
}

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
