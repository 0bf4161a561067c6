import type { ExportKind } from "@bulkhead/core";
import { EXPORTED_CONTENT } from "./exported-content.ts";
import { byId, type ExportedTable, ofTenant, words } from "./exported-table.ts";

export type TableKind = Exclude<ExportKind, "usage" | "execution-logs">;

/**
 * Rows of a tool have no tenant of their own. $2 is the tool at which the page begins; a list, so that no other tenant's
 * are looked at.
 */
const ofItsTools = {
  isOwn: "t.tool_id = ANY(ARRAY(SELECT o.id FROM tools AS o WHERE o.tenant_id = $1 AND o.id >= $2::text))",
};

export const EXPORTED_TABLES: Readonly<Record<TableKind, ExportedTable>> = {
  policy: {
    // The rest of the tenant's row is tenant.json.
    from: "tenants",
    isOwn: "t.id = $1 AND t.policy_version > 0",
    key: byId,
    columns: ["policy_version", "policy"],
    times: [],
    left: words(`
      id slug name limits settings created_at updated_at webhook_generation webhook_replaced_at deleting_at
      deleted_rows deletion_due_at mcp_version`),
    large: ["policy"],
  },
  "api-keys": {
    from: "api_keys",
    ...ofTenant,
    key: byId,
    columns: ["id", "name", "role", "agent_id"],
    times: ["created_at", "expires_at", "last_used_at"],
    left: ["tenant_id", "sha256", "former_sha256", "former_until"],
    large: [],
  },
  tools: {
    from: "tools",
    ...ofTenant,
    key: byId,
    columns: words(`
      id agent_id name alias title annotations mcp description category status status_reason requires_approval approval idempotent
      apply_defaults created_by metadata required_api_keys required_config_services version pending_version approved
      retry dispatch retention usage_count`),
    times: ["last_used_at", "created_at", "updated_at"],
    left: ["tenant_id", "revision", "convictions", "terms_rule", "log_retention_days"],
    large: ["description", "metadata", "required_api_keys", "required_config_services", "approved"],
  },
  "tool-versions": {
    from: "tool_versions",
    ...ofItsTools,
    key: [
      ["tool_id", "text"],
      ["version", "int"],
    ],
    columns: words(`
      tool_id version language code parameters output_schema permissions limits content_hash allowed_hosts
      services pinned approval_code`),
    times: ["created_at"],
    derived: {
      // The values of its variables are secrets: their names alone leave.
      command: `CASE WHEN t.shell IS NULL THEN NULL ELSE t.shell || jsonb_build_object('env',
        (SELECT coalesce(jsonb_agg(name ORDER BY name), '[]') FROM jsonb_object_keys(t.shell->'env') AS name)) END`,
      review: `(SELECT json_build_object('state', r.state, 'grown', r.grown, 'proposedBy', r.proposed_by,
        'agentId', r.agent_id, 'conversationId', r.conversation_id, 'proposedAt', r.proposed_at,
        'decidedBy', r.decided_by, 'decidedAt', r.decided_at, 'reason', r.reason)
      FROM version_reviews AS r WHERE r.tool_id = t.tool_id AND r.version = t.version)`,
    },
    left: ["compiled", "shell"],
    large: ["code", "parameters", "output_schema", "approval_code"],
  },
  "version-dry-runs": {
    from: "version_dry_runs",
    ...ofItsTools,
    key: [
      ["tool_id", "text"],
      ["version", "int"],
      ["execution_id", "text"],
    ],
    columns: words("tool_id version execution_id arguments generated status result truncated error effects"),
    times: ["created_at"],
    left: [],
    large: ["arguments", "result", "error", "effects"],
  },
  "approved-capabilities": {
    from: "approved_capabilities",
    ...ofTenant,
    key: [
      ["name", "text"],
      ["agent_id", "text"],
    ],
    columns: ["name", "agent_id", "capabilities"],
    times: ["recorded_at"],
    left: ["tenant_id"],
    large: ["capabilities"],
  },
  "standing-approvals": {
    from: "standing_approvals",
    ...ofTenant,
    key: byId,
    columns: words("id tool_id tool_version argument pattern approval_id created_by uses"),
    times: ["created_at", "last_used_at"],
    left: ["tenant_id"],
    large: [],
  },
  "meta-tool-approvals": {
    from: "meta_tool_approvals",
    ...ofTenant,
    key: byId,
    columns: words(`
      id name tool_id arguments context requested_by agent_id answer answered_by answer_reason runs
      outcome`),
    times: ["created_at", "expires_at", "answered_at"],
    left: ["tenant_id", "lease_until"],
    large: ["arguments", "context", "outcome"],
  },
  "config-services": {
    from: "config_services",
    ...ofTenant,
    key: [["name", "text"]],
    columns: words(`
      name kind display_name description category docs_url multi_entry config_schema allowed_hosts code_hosts
      delivery exchange_in_body default_label registered_by`),
    times: ["created_at", "updated_at"],
    left: ["tenant_id", "kept", "declarations", "revision"],
    large: ["config_schema"],
  },
  "config-entries": {
    from: "config_entries",
    ...ofTenant,
    key: [
      ["service", "text"],
      ["label", "text"],
    ],
    columns: ["service", "label", "values"],
    times: ["created_at", "updated_at"],
    derived: {
      secretFields: "ARRAY(SELECT name FROM json_object_keys(t.secrets) AS name ORDER BY name)",
    },
    left: ["tenant_id", "secrets"],
    large: ["values", "secrets"],
  },
  "scrub-rules": {
    from: "scrub_rules",
    ...ofTenant,
    key: byId,
    columns: words("id name pattern whole_words_only created_by"),
    times: ["created_at"],
    left: ["tenant_id", "sealed"],
    large: [],
  },
  "scrub-counts": {
    from: "scrub_counts",
    ...ofTenant,
    key: [["kind", "text"]],
    columns: ["kind", "count"],
    times: [],
    left: ["tenant_id"],
    large: [],
  },
  ...EXPORTED_CONTENT,
  schedules: {
    from: "schedules",
    ...ofTenant,
    key: byId,
    columns: words(`
      id name tool_id tool_name arguments context priority timeout_ms cron time_zone every_ms missed_runs
      overlap status status_reason last_execution_id last_error skipped_runs created_by
      made_by_tool`),
    times: words("anchor_at next_run_at last_run_at last_skipped_at waiting_since created_at updated_at"),
    left: ["tenant_id", "next_runs", "revision"],
    large: ["arguments", "context"],
  },
  devices: {
    from: "devices",
    ...ofTenant,
    key: byId,
    columns: words("id name platform commands agent_id user_id enabled paired_by"),
    times: ["last_seen_at", "created_at"],
    left: ["tenant_id", "token_sha256", "command_names", "connection"],
    large: ["commands"],
  },
  "mcp-servers": {
    from: "mcp_servers",
    ...ofTenant,
    key: [["name", "text"]],
    // Values that are secret are named by their place in the Config Center.
    columns: words(`
      name transport url command args env headers tool_prefix timeout_ms agent_ids enabled state state_reason
      failures`),
    times: ["state_at", "created_at", "updated_at"],
    left: ["tenant_id", "revision"],
    large: ["args", "env", "headers", "agent_ids"],
  },
  "mcp-grants": {
    from: "mcp_grants",
    ...ofTenant,
    key: [
      ["server", "text"],
      ["scope", "text"],
      ["id", "text"],
    ],
    columns: words("server scope id tool_allow tool_deny enabled"),
    times: [],
    left: ["tenant_id"],
    large: ["tool_allow", "tool_deny"],
  },
  "mcp-access-requests": {
    from: "mcp_access_requests",
    ...ofTenant,
    key: byId,
    columns: words("id server scope grantee tool_allow reason status requested_by answered_by answer"),
    times: ["created_at", "answered_at"],
    left: ["tenant_id"],
    large: ["tool_allow", "reason", "answer"],
  },
  executions: {
    from: "executions",
    // Of a deleted one only what usage is made of is left.
    isOwn: "t.tenant_id = $1 AND t.erased_at IS NULL",
    key: byId,
    columns: words(`
      id tool_id tool_name tool_version status attempt idempotent effects arguments context
      result error usage timings source client requested_by access_token_id by_agent parent_id depth trace_id traceparent ended_by
      priority retry replay_of schedule_id approval tool_decides retention erased`),
    times: words("not_before created_at accepted_at queued_at started_at finished_at deadline_at"),
    derived: {
      callbackUrl: "t.callback->>'url'",
      inlineTool: `CASE WHEN t.inline_tool->'shell' IS NULL THEN t.inline_tool ELSE json_build_object(
        'command', t.inline_tool->'shell'->'template', 'workingDirectory', t.inline_tool->'shell'->'workingDirectory',
        'env', (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM json_object_keys(t.inline_tool->'shell'->'env') AS name),
        'limits', t.inline_tool->'limits', 'outputSchema', t.inline_tool->'outputSchema') END`,
    },
    left: words(
      "tenant_id worker_id lease_until arguments_bytes result_bytes callback end_event_id erased_at inline_tool",
    ),
    large: ["inline_tool", "arguments", "context", "result", "error", "approval"],
  },
  "execution-attempts": {
    from: "execution_attempts",
    ...ofTenant,
    key: [
      ["execution_id", "text"],
      ["attempt", "int"],
    ],
    columns: words("execution_id attempt outcome error usage ended_by"),
    times: ["started_at", "finished_at"],
    left: ["tenant_id", "worker_id"],
    large: ["error"],
  },
  deliveries: {
    from: "deliveries",
    ...ofTenant,
    key: [
      ["execution_id", "text"],
      ["n", "int"],
    ],
    columns: words("execution_id n url status try_number tries"),
    times: ["claimed_at", "due_at", "retry_until"],
    left: ["tenant_id", "sealed_secret"],
    large: ["url", "tries"],
  },
  "idempotency-keys": {
    from: "idempotency_keys",
    ...ofTenant,
    key: [["key", "text"]],
    columns: ["key", "execution_id"],
    times: ["created_at"],
    left: ["tenant_id", "body_hash"],
    large: [],
  },
  audit: {
    from: "audit_entries",
    ...ofTenant,
    key: [
      ["at", "timestamptz"],
      ["id", "text"],
    ],
    columns: words(`
      id action subject_type subject_id subject_name role key_id agent_id request_id before_hash
      after_hash details`),
    times: ["at"],
    left: ["tenant_id"],
    large: ["details"],
  },
};
