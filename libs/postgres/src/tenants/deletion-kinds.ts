import { DELETION_LEFT_MAX, type DeletionKind } from "@bulkhead/core";

// In SQL: a statement takes rows by their size and adds to the tenant's row what went.

interface DeletedTable {
  table: string;
  /** Columns that tell its rows apart. */
  key: readonly string[];
  /** Of rows `t` of tenant $1. */
  isOwn: string;
  /** Rows that one statement takes at the most. */
  rowsMax: number;
  /** Bytes of a row that may be many; a statement takes `DROPPED_BYTES_MAX` of them, or one row. */
  bytes?: string;
}

/** About half a second's work. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;

const ofTenant = "t.tenant_id = $1";
const ofItsTools = "t.tool_id = ANY(ARRAY(SELECT o.id FROM tools AS o WHERE o.tenant_id = $1))";
const ofRow = (...columns: string[]): string =>
  columns.map((column) => `coalesce(pg_column_size(t.${column}), 0)`).join(" + ");

/** Audit entries go by a function of the database. */
export const DELETED_TABLES: Readonly<Record<Exclude<DeletionKind, "auditEntries">, DeletedTable>> = {
  apiKeys: { table: "api_keys", key: ["id"], isOwn: ofTenant, rowsMax: 1_000 },
  dataKeys: { table: "data_keys", key: ["id"], isOwn: ofTenant, rowsMax: 1_000 },
  devices: { table: "devices", key: ["id"], isOwn: ofTenant, rowsMax: 500 },
  devicePairingCodes: { table: "device_pairing_codes", key: ["id"], isOwn: ofTenant, rowsMax: 500 },
  schedules: { table: "schedules", key: ["id"], isOwn: ofTenant, rowsMax: 100 },
  deliveries: { table: "deliveries", key: ["execution_id", "n"], isOwn: ofTenant, rowsMax: 1_000 },
  dueLogs: { table: "due_logs", key: ["execution_id"], isOwn: ofTenant, rowsMax: 1_000 },
  dueErasures: { table: "due_erasures", key: ["execution_id", "part"], isOwn: ofTenant, rowsMax: 1_000 },
  logs: {
    table: "execution_logs",
    key: ["execution_id"],
    isOwn: ofTenant,
    rowsMax: 1_000,
    bytes:
      "coalesce((SELECT sum(octet_length(p.packed)) FROM log_pieces AS p WHERE p.execution_id = t.execution_id), 0)",
  },
  attempts: {
    table: "execution_attempts",
    key: ["execution_id", "attempt"],
    isOwn: ofTenant,
    rowsMax: 1_000,
  },
  idempotencyKeys: { table: "idempotency_keys", key: ["tenant_id", "key"], isOwn: ofTenant, rowsMax: 1_000 },
  executions: {
    table: "executions",
    key: ["id"],
    isOwn: ofTenant,
    rowsMax: 500,
    bytes: ofRow("arguments", "context", "result", "inline_tool"),
  },
  dryRuns: {
    table: "version_dry_runs",
    key: ["execution_id"],
    isOwn: ofItsTools,
    rowsMax: 500,
    bytes: ofRow("arguments", "result"),
  },
  toolVersions: {
    table: "tool_versions",
    key: ["tool_id", "version"],
    isOwn: ofItsTools,
    rowsMax: 200,
    bytes: ofRow("code", "compiled", "parameters", "output_schema", "approval_code"),
  },
  standingApprovals: { table: "standing_approvals", key: ["id"], isOwn: ofTenant, rowsMax: 500 },
  tools: { table: "tools", key: ["id"], isOwn: ofTenant, rowsMax: 200 },
  approvedCapabilities: {
    table: "approved_capabilities",
    key: ["tenant_id", "name", "agent_id"],
    isOwn: ofTenant,
    rowsMax: 500,
  },
  mcpGrants: {
    table: "mcp_grants",
    key: ["tenant_id", "server", "scope", "id"],
    isOwn: ofTenant,
    rowsMax: 500,
  },
  mcpAccessRequests: { table: "mcp_access_requests", key: ["id"], isOwn: ofTenant, rowsMax: 500 },
  mcpServers: { table: "mcp_servers", key: ["tenant_id", "name"], isOwn: ofTenant, rowsMax: 500 },
  metaToolApprovals: {
    table: "meta_tool_approvals",
    key: ["id"],
    isOwn: ofTenant,
    rowsMax: 500,
    bytes: ofRow("arguments", "context", "outcome"),
  },
  configEntries: {
    table: "config_entries",
    key: ["tenant_id", "service", "label"],
    isOwn: ofTenant,
    rowsMax: 500,
  },
  configServices: { table: "config_services", key: ["tenant_id", "name"], isOwn: ofTenant, rowsMax: 500 },
  scrubRules: { table: "scrub_rules", key: ["id"], isOwn: ofTenant, rowsMax: 500 },
  scrubCounts: { table: "scrub_counts", key: ["tenant_id", "kind"], isOwn: ofTenant, rowsMax: 500 },
  messageCounts: { table: "message_counts", key: ["tenant_id"], isOwn: ofTenant, rowsMax: 1 },
  // Their chunks go with them.
  memoryDocuments: {
    table: "memory_documents",
    key: ["tenant_id", "hash"],
    isOwn: ofTenant,
    rowsMax: 200,
    bytes: ofRow("words", "vectors"),
  },
  // Their versions go with them.
  files: { table: "files", key: ["id"], isOwn: ofTenant, rowsMax: 500 },
  fileChunks: {
    table: "file_chunks",
    key: ["tenant_id", "hash"],
    isOwn: ofTenant,
    rowsMax: 500,
    bytes: ofRow("bytes"),
  },
  dataDocuments: {
    table: "data_documents",
    key: ["tenant_id", "collection_id", "id"],
    isOwn: ofTenant,
    rowsMax: 500,
    bytes: ofRow("body"),
  },
  dataCollections: { table: "data_collections", key: ["tenant_id", "id"], isOwn: ofTenant, rowsMax: 500 },
  dataUsage: { table: "data_usage", key: ["tenant_id"], isOwn: ofTenant, rowsMax: 1 },
  fileUsage: { table: "file_usage", key: ["tenant_id"], isOwn: ofTenant, rowsMax: 1 },
};

/** Entries that one statement takes. */
const AUDIT_ROWS_MAX = 1_000;
/** The one that stays is none of them. */
const OWN_AUDIT = "SELECT FROM audit_entries AS t WHERE t.tenant_id = $1 AND t.action <> 'tenant.deleted'";

/** Adds what went to what the tenant's row tells of it, in the same statement: a count is right wherever its maker was killed. */
const told = (kind: DeletionKind, count: string): string => `told AS (
  UPDATE tenants SET deleted_rows = deleted_rows
    || jsonb_build_object('${kind}', coalesce((deleted_rows->>'${kind}')::bigint, 0) + ${count})
  WHERE id = $1 AND ${count} > 0
)`;

/** $1 is the tenant. Answers the first column of the key of each row that went. */
export function dropStatement(kind: keyof typeof DELETED_TABLES): string {
  const { table, key, isOwn, rowsMax, bytes } = DELETED_TABLES[kind];
  const columns = key.map((column) => `t.${column}`).join(", ");
  const [first = ""] = key;
  // By a list where that can be: then the rows are looked up, whatever the planner thinks of how many there are.
  const which =
    key.length === 1
      ? `WHERE t.${first} = ANY(ARRAY(SELECT taken.${first} FROM taken))`
      : `USING taken WHERE ${key.map((column) => `t.${column} = taken.${column}`).join(" AND ")}`;
  const taken =
    bytes === undefined
      ? `SELECT ${columns} FROM ${table} AS t WHERE ${isOwn} LIMIT ${rowsMax}`
      : `SELECT ${columns} FROM (
    SELECT ${columns}, row_number() OVER w AS place, sum(t.size) OVER w AS bytes FROM (
      SELECT ${columns}, ${bytes} AS size FROM ${table} AS t WHERE ${isOwn} LIMIT ${rowsMax}
    ) AS t WINDOW w AS (ORDER BY ${columns})
  ) AS t WHERE t.place = 1 OR t.bytes <= ${DROPPED_BYTES_MAX}`;
  return `/* tenants.drop ${table} */
WITH taken AS MATERIALIZED (
  ${taken}
), gone AS (
  DELETE FROM ${table} AS t ${which} RETURNING t.${first} AS id
), ${told(kind, "(SELECT count(*) FROM gone)")}
SELECT id FROM gone`;
}

/** $1 is the tenant. */
export const DROP_AUDIT = `/* tenants.drop audit_entries */
WITH gone AS MATERIALIZED (
  SELECT drop_audit_entries_of($1, ${AUDIT_ROWS_MAX}) AS count
), ${told("auditEntries", "(SELECT count FROM gone)")}
SELECT count FROM gone`;

const owned = Object.entries(DELETED_TABLES).map(
  ([kind, { table, isOwn }]) => [kind, `SELECT FROM ${table} AS t WHERE ${isOwn}`] as const,
);

/** $1 is the tenant: what has gone, and of each kind how many are left, up to the bound. */
export const PROGRESS = `/* tenants.deletion_progress */
SELECT n.deleting_at AS since, n.deleted_rows AS gone, json_build_object(${[
  ...owned,
  ["auditEntries", OWN_AUDIT] as const,
]
  .map(([kind, rows]) => `'${kind}', (SELECT count(*) FROM (${rows} LIMIT ${DELETION_LEFT_MAX}) AS t)`)
  .join(", ")}) AS left
FROM tenants AS n WHERE n.id = $1 AND n.deleting_at IS NOT NULL`;

/** $1 is the tenant. */
export const FINISH = `/* tenants.finish_deletion */
DELETE FROM tenants AS n WHERE n.id = $1 AND n.deleting_at IS NOT NULL
  AND ${[...owned.map(([, rows]) => rows), OWN_AUDIT].map((rows) => `NOT EXISTS (${rows})`).join("\n  AND ")}`;
