import type { NestedExecution } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { is } from "./by-id.ts";

export type Begun = "begun" | "caller_gone" | "not_active";

export const BEGIN_NESTED = `/* executions.begin_nested */
WITH caller AS (
  SELECT requested_by, by_agent, trace_id FROM executions
  WHERE id = $4 AND ${is("tenant_id", "$2")} AND attempt = $5::int AND ${is("status", "'running'")} AND lease_until > now()
), tool AS (
  SELECT id FROM tools WHERE id = $3 AND ${is("tenant_id", "$2")} AND ${is("status", "'active'")}
), begun AS (
  INSERT INTO executions (id, tenant_id, tool_id, parent_id, depth, tool_name, tool_version, idempotent, arguments,
    arguments_bytes, context,
    source, requested_by, by_agent, trace_id, created_at, deadline_at, status, attempt, worker_id, lease_until, started_at, retention)
  SELECT $1, $2, t.id, $4, $6::int, $7, $8::int, $9::boolean, $10::text::json, octet_length($10::text), $11::json,
    'tool', c.requested_by, c.by_agent, c.trace_id, $12::timestamptz, $13::timestamptz, 'running', 1, $14,
    now() + $15::float8 * interval '1 ms', now(), $16::json
  FROM caller AS c, tool AS t
  RETURNING id
)
SELECT CASE WHEN EXISTS (SELECT FROM begun) THEN 'begun'
  WHEN EXISTS (SELECT FROM caller) THEN 'not_active' ELSE 'caller_gone' END AS outcome`;

/** It counts as requested by the key that requested its caller, under the same trace. */
export async function beginNested(
  client: PrismaClient,
  execution: NestedExecution,
  workerId: string,
  leaseMs: number,
): Promise<Begun> {
  const { parent } = execution;
  const [row] = await client.$queryRawUnsafe<{ outcome: Begun }[]>(
    BEGIN_NESTED,
    execution.executionId,
    execution.tenantId,
    execution.toolId,
    parent.executionId,
    parent.attempt,
    execution.depth,
    execution.toolName,
    execution.toolVersion,
    execution.idempotent,
    execution.argumentsJson,
    JSON.stringify(execution.context),
    execution.createdAt.toISOString(),
    execution.deadlineAt.toISOString(),
    workerId,
    leaseMs,
    execution.retention && JSON.stringify(execution.retention),
  );
  return row?.outcome ?? "caller_gone";
}
