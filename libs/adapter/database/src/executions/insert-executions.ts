import type { NewExecution } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";

/** A new execution with its documents as JSON, which is made once, by its caller. */
export interface ExecutionToInsert {
  execution: NewExecution;
  argumentsJson: string;
  contextJson: string;
  inlineToolJson: string | null;
}

const INSERT = `/* executions.insert */
INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, inline_tool, idempotent, arguments, context,
  requested_by, by_agent, trace_id, created_at, deadline_at)
SELECT n.id, n.tenant_id, n.tool_id, n.tool_name, n.tool_version, n.inline_tool::json, n.idempotent,
  n.arguments::json, n.context::json, n.requested_by, n.by_agent, n.trace_id, n.created_at,
  n.deadline_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::boolean[], $8::text[],
  $9::text[], $10::text[], $11::boolean[], $12::text[], $13::timestamptz[], $14::timestamptz[])
  AS n(id, tenant_id, tool_id, tool_name, tool_version, inline_tool, idempotent, arguments, context, requested_by,
    by_agent, trace_id, created_at, deadline_at)`;

/** Inserts all or none, as `queued`, in one statement. */
export async function insertExecutions(client: PrismaClient, batch: ExecutionToInsert[]): Promise<void[]> {
  const column = <T>(of: (row: ExecutionToInsert) => T): T[] => batch.map(of);
  await client.$executeRawUnsafe(
    INSERT,
    column(({ execution }) => execution.executionId),
    column(({ execution }) => execution.tenantId),
    column(({ execution }) => execution.toolId),
    column(({ execution }) => execution.toolName),
    column(({ execution }) => execution.toolVersion),
    column(({ inlineToolJson }) => inlineToolJson),
    column(({ execution }) => execution.idempotent),
    column(({ argumentsJson }) => argumentsJson),
    column(({ contextJson }) => contextJson),
    column(({ execution }) => execution.requestedBy),
    column(({ execution }) => execution.byAgent),
    column(({ execution }) => execution.traceId),
    column(({ execution }) => execution.createdAt.toISOString()),
    column(({ execution }) => execution.deadlineAt.toISOString()),
  );
  return batch.map(() => undefined);
}
