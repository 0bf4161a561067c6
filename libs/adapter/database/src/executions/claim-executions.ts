import type { AttemptKey, ClaimedExecution, Json, ToolStatus } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";
import { readContext, readInlineTool } from "../stored-json.ts";
import { byPlace, inIdOrder } from "./id-order.ts";

export interface Claim {
  attempt: AttemptKey;
  workerId: string;
  leaseMs: number;
}

const CLAIM = `/* executions.claim */
WITH won AS (
  UPDATE executions AS e SET status = 'running', attempt = c.attempt, worker_id = c.worker_id,
    lease_until = now() + c.lease_ms * interval '1 ms', started_at = now()
  FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::float8[], $6::int[])
    AS c(id, tenant_id, attempt, worker_id, lease_ms, place)
  WHERE e.id = c.id AND e.id = ANY($1) AND e.tenant_id = c.tenant_id
    AND e.status = 'queued' AND e.attempt = c.attempt - 1
  RETURNING c.place, e.id, e.tenant_id, e.attempt, e.tool_id, e.tool_name, e.tool_version, e.inline_tool, e.arguments,
    e.context, e.created_at, e.deadline_at, e.trace_id, e.accepted_at,
    e.by_agent
)
SELECT w.place, w.id, w.tenant_id, w.attempt, w.tool_id, w.tool_name, w.tool_version, w.inline_tool,
  w.arguments::text AS arguments_json, w.context, w.created_at, w.deadline_at, w.trace_id, w.by_agent,
  (extract(epoch FROM clock_timestamp() - w.accepted_at) * 1000)::float8 AS waited_ms,
  CASE WHEN w.tool_id IS NULL THEN 'active' ELSE t.status END AS tool_status
FROM won AS w LEFT JOIN tools AS t ON t.id = w.tool_id AND t.tenant_id = w.tenant_id`;

interface ClaimedRow {
  place: number;
  id: string;
  tenant_id: string;
  attempt: number;
  tool_id: string | null;
  tool_name: string;
  tool_version: number;
  inline_tool: Json;
  arguments_json: string;
  context: Json;
  created_at: Date;
  deadline_at: Date;
  trace_id: string;
  by_agent: boolean;
  waited_ms: number;
  tool_status: ToolStatus | null;
}

/** Of several claims of one attempt, in one batch or in many, exactly one is answered with the execution. */
export async function claimExecutions(
  client: PrismaClient,
  batch: Claim[],
): Promise<(ClaimedExecution | null)[]> {
  const items = inIdOrder(batch, (claim) => claim.attempt.executionId);
  const rows = await client.$queryRawUnsafe<ClaimedRow[]>(
    CLAIM,
    items.map(({ item }) => item.attempt.executionId),
    items.map(({ item }) => item.attempt.tenantId),
    items.map(({ item }) => item.attempt.attempt),
    items.map(({ item }) => item.workerId),
    items.map(({ item }) => item.leaseMs),
    items.map(({ place }) => place),
  );
  const answers = rows.map((row) => ({ place: row.place, answer: toClaimed(row) }));
  return byPlace(batch.length, answers);
}

function toClaimed(row: ClaimedRow): ClaimedExecution {
  return {
    executionId: row.id,
    tenantId: row.tenant_id,
    attempt: row.attempt,
    toolId: row.tool_id,
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    toolStatus: row.tool_status,
    inlineTool: readInlineTool(row.inline_tool),
    argumentsJson: row.arguments_json,
    context: readContext(row.context),
    createdAt: row.created_at,
    deadlineAt: row.deadline_at,
    traceId: row.trace_id,
    byAgent: row.by_agent,
    waitedMs: row.waited_ms,
  };
}
