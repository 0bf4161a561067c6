import type { AttemptKey, ClaimedExecution, ClaimOfRun } from "@bulkhead/core";
import { readTenantSettings } from "../approvals/approval-json.ts";
import type { Statements } from "../statements.ts";
import {
  readContext,
  readInlineTool,
  readRetention,
  readRetry,
  readTenantLimits,
  type Json,
} from "../stored-json.ts";
import { IN_BATCH, is } from "./by-id.ts";
import { readSource } from "./execution-row.ts";
import { byPlace, inIdOrder } from "./id-order.ts";

export interface Claim extends ClaimOfRun {
  attempt: AttemptKey;
  workerId: string;
  leaseMs: number;
}

/** Of the attempts in `won` what a run needs; times are measured to this moment. */
const WHAT_RUNS = `SELECT w.place, w.id AS "executionId", w.tenant_id AS "tenantId", w.attempt, w.tool_id AS "toolId",
  w.tool_name AS "toolName", w.tool_version AS "toolVersion", w.inline_tool AS "inlineTool",
  w.arguments::text AS "argumentsJson", w.context, w.created_at AS "createdAt", w.deadline_at AS "deadlineAt",
  w.trace_id AS "traceId", w.traceparent, w.source, w.requested_by AS "requestedBy", w.by_agent AS "byAgent",
  w.tool_decides AND w.approval IS NULL AS "toolDecides", coalesce(w.approval->>'answer' LIKE 'allow\\_%', false) AS "isAllowed", w.retry, w.idempotent, w.retention,
  (extract(epoch FROM clock_timestamp() - w.accepted_at) * 1000)::float8 AS "waitedMs",
  (extract(epoch FROM clock_timestamp() - w.queued_at) * 1000)::float8 AS "queuedMs",
  -- Of a tenant that is being deleted, or gone, no tool is there any more.
  CASE WHEN n.id IS NULL OR n.deleting_at IS NOT NULL THEN NULL WHEN w.tool_id IS NULL THEN 'active' ELSE t.status END AS "toolStatus",
  t.agent_id AS "toolAgentId", t.created_by AS "madeBy", n.limits, n.settings,
  coalesce(n.policy_version + n.mcp_version, 0) AS "policyVersion", w.attempt > 1 AND EXISTS (
    SELECT FROM execution_attempts AS p WHERE p.execution_id = w.id AND p.outcome = 'lost') AS suspect,
  CASE WHEN w.attempt > 1 THEN (
    SELECT count(*)::int FROM execution_attempts AS p WHERE p.execution_id = w.id AND p.outcome = 'failed') ELSE 0 END AS failures
FROM won AS w LEFT JOIN tools AS t ON t.id = w.tool_id AND ${is("t.tenant_id", "w.tenant_id")}
  LEFT JOIN tenants AS n ON n.id = w.tenant_id`;

const WON = `c.place, e.id, e.tenant_id, c.attempt, e.tool_id, e.tool_name, e.tool_version, e.inline_tool, e.arguments,
    e.context, e.created_at, e.deadline_at, e.trace_id, e.traceparent, e.accepted_at, e.queued_at,
    e.source, e.requested_by, e.by_agent, e.tool_decides, e.approval, e.retry, e.idempotent, e.retention`;

export const CLAIM = `/* executions.claim */
WITH won AS (
  UPDATE executions AS e SET status = 'running', attempt = c.attempt, worker_id = c.worker_id,
    lease_until = now() + c.lease_ms * interval '1 ms', started_at = now() - c.ran_ms * interval '1 ms'
  FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::float8[], $6::float8[], $7::boolean[], $8::int[])
    AS c(id, tenant_id, attempt, worker_id, lease_ms, ran_ms, may_be_mine, place)
  WHERE e.id = c.id AND ${IN_BATCH} AND e.tenant_id = c.tenant_id
    AND (e.status = 'queued' AND e.attempt = c.attempt - 1
      OR c.may_be_mine AND e.status = 'running' AND e.attempt = c.attempt AND e.worker_id = c.worker_id)
  RETURNING ${WON}
)
${WHAT_RUNS}`;

export const LOOK = `/* executions.look */
WITH won AS (
  SELECT ${WON} FROM unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS c(id, tenant_id, attempt, place)
  JOIN executions AS e ON e.id = c.id AND ${IN_BATCH} AND ${is("e.tenant_id", "c.tenant_id")}
    AND ${is("e.status", "'queued'")} AND e.attempt = c.attempt - 1
)
${WHAT_RUNS}`;

type JsonField = "inlineTool" | "context" | "retry" | "retention";
type FromTenant = "ceilings" | "approvals" | "tenantRetention" | "applyDefaults";

interface ClaimedRow
  extends
    Omit<ClaimedExecution, JsonField | FromTenant | "scopeAgentId" | "source">,
    Record<JsonField | "limits" | "settings", Json> {
  place: number;
  source: string;
  toolAgentId: string | null;
}

/** Of several claims of one attempt, in one batch or in many, exactly one is answered with the execution. */
export async function claimExecutions(
  statements: Statements,
  batch: Claim[],
): Promise<(ClaimedExecution | null)[]> {
  const items = inIdOrder(batch, (claim) => claim.attempt.executionId);
  const rows = await statements.$queryRawUnsafe<ClaimedRow[]>(
    CLAIM,
    items.map(({ item }) => item.attempt.executionId),
    items.map(({ item }) => item.attempt.tenantId),
    items.map(({ item }) => item.attempt.attempt),
    items.map(({ item }) => item.workerId),
    items.map(({ item }) => item.leaseMs),
    items.map(({ item }) => item.ranMs),
    items.map(({ item }) => item.mayBeMine),
    items.map(({ place }) => place),
  );
  return byPlace(batch.length, rows.map(toAnswer));
}

/** Answers as `claimExecutions` would, and takes nothing. */
export async function lookAtExecutions(
  statements: Statements,
  batch: AttemptKey[],
): Promise<(ClaimedExecution | null)[]> {
  const items = inIdOrder(batch, ({ executionId }) => executionId);
  const rows = await statements.$queryRawUnsafe<ClaimedRow[]>(
    LOOK,
    items.map(({ item }) => item.executionId),
    items.map(({ item }) => item.tenantId),
    items.map(({ item }) => item.attempt),
    items.map(({ place }) => place),
  );
  return byPlace(batch.length, rows.map(toAnswer));
}

const toAnswer = ({ place, ...row }: ClaimedRow) => ({ place, answer: toClaimed(row) });

function toClaimed({ limits, settings, toolAgentId, ...row }: Omit<ClaimedRow, "place">): ClaimedExecution {
  const context = readContext(row.context);
  const { approval, retention, applyDefaults } = readTenantSettings(settings);
  return {
    ...row,
    source: readSource(row.source),
    inlineTool: readInlineTool(row.inlineTool),
    context,
    scopeAgentId: row.toolId === null ? (context.agentId ?? null) : toolAgentId,
    retry: readRetry(row.retry),
    ceilings: readTenantLimits(limits),
    approvals: approval,
    retention: readRetention(row.retention),
    tenantRetention: retention,
    applyDefaults,
  };
}
