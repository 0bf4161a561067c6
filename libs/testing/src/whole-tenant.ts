import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { queryRows } from "./query-rows.ts";

/** A value that no export and no answer may show of a filled tenant; hex digits, so that a hash can contain it too. */
export const NEVER_TOLD = "5ec4e75ec4e75ec4";

export interface WholeTenant {
  tenantId: string;
  /** 16 hex digits that stand in every row of the tenant: in its own id, and in those of all that it has. */
  mark: string;
  slug: string;
  executionIds: string[];
}

const HELLO_SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

/** Executions of the fixture that have ended, each with all that hangs on one. */
const ENDED = 3;

/**
 * A tenant with a row in every table that can have one, written past all stores. None of its executions is open, and its
 * schedule is paused: no part of the product acts on it.
 */
export async function insertWholeTenant(databaseUrl: string): Promise<WholeTenant> {
  const mark = randomBytes(8).toString("hex");
  const tenantId = `ten_${mark}`;
  const slug = `whole-${mark}`;
  const now = Date.now();
  const executionIds = Array.from({ length: ENDED }, (_, n) => {
    const at = (now - n * 60_000).toString(16).padStart(12, "0");
    return `exe_${at}700${n}${mark}`;
  });
  const statements = [...ofTenant(tenantId, slug, mark), ...executionIds.flatMap(ofExecution(tenantId))];
  await queryRows(databaseUrl, statements.join(";\n"));
  await queryRows(
    databaseUrl,
    "INSERT INTO log_pieces (execution_id, n, first_id, last_id, packed) SELECT unnest($1::text[]), 0, '{1,3}', '{1,3}', $2",
    [executionIds, zstdCompressSync('{"type":"execution.log","id":"1-3","text":"hello"}')],
  );
  return { tenantId, mark, slug, executionIds };
}

const TOOL_VERSIONS = [1, 2];

const ofTenant = (tenantId: string, slug: string, mark: string): string[] => [
  `INSERT INTO tenants (id, slug, name, created_at, updated_at, policy, policy_version)
    VALUES ('${tenantId}', '${slug}', 'Whole', now(), now(), '{"deny":["?exec"]}', 1)`,
  `INSERT INTO api_keys (id, tenant_id, name, role, sha256, created_at)
    VALUES ('key_${mark}', '${tenantId}', 'a', 'owner', '${NEVER_TOLD.repeat(3)}${mark}', now())`,
  `INSERT INTO tools (id, tenant_id, name, description, status, requires_approval, idempotent, created_by, required_api_keys,
      version, created_at, updated_at)
    VALUES ('tool_${mark}', '${tenantId}', 'a', 'A tool', 'active', false, false, 'user', '[]', 2, now(), now())`,
  ...TOOL_VERSIONS.flatMap((version) => [
    `INSERT INTO tool_versions (tool_id, version, code, parameters, permissions, limits, created_at)
      VALUES ('tool_${mark}', ${version}, 'return 1', '{}', '{}', '{}', now())`,
    `INSERT INTO version_reviews (tool_id, version, state, grown) VALUES ('tool_${mark}', ${version}, 'approved', '[]')`,
    `INSERT INTO version_dry_runs (execution_id, tool_id, version, arguments, generated)
      VALUES ('exe_${version}_${mark}', 'tool_${mark}', ${version}, '{}', true)`,
  ]),
  `INSERT INTO tool_terms (tool_id, revision, terms) VALUES ('tool_${mark}', 1, 'a')`,
  `INSERT INTO approved_capabilities (tenant_id, agent_id, name, capabilities) VALUES ('${tenantId}', '', 'gone', '{}')`,
  `INSERT INTO standing_approvals (id, tenant_id, tool_id, tool_version, approval_id, created_by)
    VALUES ('sta_${mark}', '${tenantId}', 'tool_${mark}', 2, 'exe_1_${mark}', 'key_${mark}')`,
  `INSERT INTO meta_tool_approvals (id, tenant_id, name, tool_id, arguments, context, requested_by, created_at, expires_at,
      answer, answered_at)
    VALUES ('exe_m_${mark}', '${tenantId}', 'create_tool', 'tool_${mark}', '{}', '{}', 'key_${mark}', now(), now(), 'deny', now())`,
  `INSERT INTO mcp_servers (tenant_id, name, transport, url, args, env, headers, timeout_ms)
    VALUES ('${tenantId}', 'files', 'streamable-http', 'https://files.example/mcp', '[]', '{}',
      '{"authorization":{"config":"files.token"}}', 60000)`,
  `INSERT INTO mcp_grants (tenant_id, server, scope, id, tool_deny, enabled)
    VALUES ('${tenantId}', 'files', 'agent', 'alpha', '[]', true)`,
  `INSERT INTO mcp_access_requests (id, tenant_id, server, scope, grantee, requested_by, created_at)
    VALUES ('mar_${mark}', '${tenantId}', 'files', 'agent', 'beta', 'key_${mark}', now())`,
  `INSERT INTO config_services (tenant_id, name, multi_entry, config_schema, delivery, exchange_in_body, kept, created_at, updated_at)
    VALUES ('${tenantId}', 'weather', true, '[]', 'reveal', false, true, now(), now())`,
  `INSERT INTO config_entries (tenant_id, service, label, values, secrets, created_at, updated_at)
    VALUES ('${tenantId}', 'weather', 'main', '{"base_url":"https://weather.example"}',
      '{"api_key":{"sealed":"${NEVER_TOLD}"}}', now(), now())`,
  `INSERT INTO scrub_rules (id, tenant_id, name, sealed, whole_words_only, created_by, created_at)
    VALUES ('scr_${mark}', '${tenantId}', 'a', '${NEVER_TOLD}', true, 'key_${mark}', now())`,
  `INSERT INTO scrub_counts (tenant_id, kind, count) VALUES ('${tenantId}', 'rule', 3)`,
  `INSERT INTO data_keys (id, tenant_id, use, wrapped, master_key_id, wrapped_at)
    VALUES ('dk_${mark}', '${tenantId}', 'seal', '${NEVER_TOLD}', '${NEVER_TOLD}', now())`,
  `INSERT INTO schedules (id, tenant_id, tool_id, tool_name, arguments, context, priority, timeout_ms, every_ms, anchor_at,
      missed_runs, overlap, status, next_runs, created_by, created_at, updated_at)
    VALUES ('sch_${mark}', '${tenantId}', 'tool_${mark}', 'a', '{}', '{}', 4, 1000, 60000, now(), 'skip', 'allow', 'paused', '{}',
      'key_${mark}', now(), now())`,
  `INSERT INTO devices (id, tenant_id, name, commands, token_sha256, enabled, paired_by, created_at)
    VALUES ('dev_${mark}', '${tenantId}', 'laptop', '[]', '${NEVER_TOLD.repeat(3)}${mark}', true, 'key_${mark}', now())`,
  `INSERT INTO device_pairing_codes (id, tenant_id, sha256, made_by, expires_at)
    VALUES ('pair_${mark}', '${tenantId}', '${NEVER_TOLD.repeat(3)}${mark}', 'key_${mark}', now())`,
  `INSERT INTO files (id, tenant_id, agent_id, user_id, path, version, size, hash, created_by, written_by)
    VALUES ('file_${mark}', '${tenantId}', 'alpha', '', 'notes/a.md', 1, 5, '${HELLO_SHA256}', 'key_${mark}', 'key_${mark}')`,
  `INSERT INTO file_versions (file_id, version, tenant_id, size, hash, chunks, written_by)
    VALUES ('file_${mark}', 1, '${tenantId}', 5, '${HELLO_SHA256}', '{${HELLO_SHA256}}', 'key_${mark}')`,
  `INSERT INTO file_chunks (tenant_id, hash, bytes) VALUES ('${tenantId}', '${HELLO_SHA256}', 'hello')`,
  `INSERT INTO file_usage (tenant_id, files, bytes) VALUES ('${tenantId}', 1, 5)`,
  `INSERT INTO data_collections (tenant_id, id, agent_id, user_id, name, documents, bytes)
    VALUES ('${tenantId}', 'dat_${mark}', 'alpha', '', 'notes', 1, 1)`,
  `INSERT INTO data_documents (tenant_id, collection_id, id, body, version, bytes, created_at, created_by, updated_at, updated_by)
    VALUES ('${tenantId}', 'dat_${mark}', 'a', '{"dat_${mark}": 1}', 1, 1, now(), 'key_${mark}', now(), 'key_${mark}')`,
  `INSERT INTO message_counts (tenant_id, hours) VALUES ('${tenantId}', '{}')`,
  `INSERT INTO data_usage (tenant_id, collections, documents, bytes) VALUES ('${tenantId}', 1, 1, 1)`,
  `INSERT INTO memory_documents (tenant_id, hash, format, chunks, is_text, words)
    VALUES ('${tenantId}', '${HELLO_SHA256}', 1, 1, true, '')`,
  `INSERT INTO memory_chunks (tenant_id, hash, n, start_line, end_line, text)
    VALUES ('${tenantId}', '${HELLO_SHA256}', 0, 1, 1, 'hello')`,
  `INSERT INTO idempotency_keys (tenant_id, key, body_hash, execution_id)
    VALUES ('${tenantId}', 'once', '${NEVER_TOLD}', 'exe_1_${mark}')`,
  `INSERT INTO audit_entries (id, tenant_id, action, subject_type, subject_id, role, key_id)
    VALUES ('aud_${mark}', '${tenantId}', 'tool.created', 'tool', 'tool_${mark}', 'owner', 'key_${mark}')`,
];

const ofExecution =
  (tenantId: string) =>
  (id: string): string[] => [
    `INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, status, attempt, idempotent, arguments, context, result,
        usage, end_event_id, requested_by, trace_id, callback, created_at, started_at, finished_at, deadline_at)
      VALUES ('${id}', '${tenantId}', 'tool_1', 'a', 2, 'succeeded', 1, false, '{"text":"hello"}', '{}', '{"answer":42}',
        '{"cpuMs":1.5}', '1-4', 'key_1', 'trace', '{"url":"https://hooks.example/a","sealedSecret":"${NEVER_TOLD}"}',
        now(), now(), now(), now())`,
    `INSERT INTO execution_attempts (execution_id, attempt, tenant_id, outcome, finished_at)
      VALUES ('${id}', 1, '${tenantId}', 'failed', now())`,
    `INSERT INTO due_logs (execution_id, tenant_id, due_at) VALUES ('${id}', '${tenantId}', now() + interval '1 day')`,
    `INSERT INTO due_erasures (execution_id, part, tenant_id, due_at)
      VALUES ('${id}', 'result', '${tenantId}', now() + interval '1 day')`,
    `INSERT INTO execution_logs (execution_id, tenant_id, words, kept_until)
      VALUES ('${id}', '${tenantId}', 'hello', now() + interval '1 day')`,
    `INSERT INTO deliveries (execution_id, n, tenant_id, url, sealed_secret, status, retry_until)
      VALUES ('${id}', 1, '${tenantId}', 'https://hooks.example/a', '${NEVER_TOLD}', 'delivered', now())`,
  ];

/** Every table of the product; partitions are their table's. */
export async function tablesOf(databaseUrl: string): Promise<string[]> {
  const tables = await queryRows(
    databaseUrl,
    `SELECT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname`,
  );
  return tables.map(({ name }) => String(name));
}

/** How many rows of each table have this text in some column; tables without any are left out. Partitions count with their table. */
export async function rowsWith(databaseUrl: string, text: string): Promise<Record<string, number>> {
  const counts = (await tablesOf(databaseUrl)).map(
    (name) =>
      `SELECT '${name}' AS name, count(*)::int AS count FROM "${name}" AS t WHERE t::text LIKE '%' || $1 || '%'`,
  );
  const rows = await queryRows(databaseUrl, counts.join(" UNION ALL "), [text]);
  const some = rows.filter(({ count }) => Number(count) > 0);
  return Object.fromEntries(some.map(({ name, count }) => [String(name), Number(count)]));
}
