import type { NewExecution } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";

/** A new execution with its documents as JSON, which is made once, by its caller. */
export interface ExecutionToInsert {
  execution: NewExecution;
  argumentsJson: string;
  contextJson: string;
  inlineToolJson: string | null;
  retryJson: string | null;
  callbackJson: string | null;
  approvalJson: string | null;
}

export const toInsert = (execution: NewExecution): ExecutionToInsert => ({
  execution,
  argumentsJson: JSON.stringify(execution.arguments),
  contextJson: JSON.stringify(execution.context),
  inlineToolJson: execution.inlineTool && JSON.stringify(execution.inlineTool),
  retryJson: execution.retry && JSON.stringify(execution.retry),
  callbackJson: execution.callback && JSON.stringify(execution.callback),
  approvalJson: execution.approval && JSON.stringify(execution.approval),
});

const INSERT = `/* executions.insert */
INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, inline_tool, idempotent, arguments, context,
  requested_by, by_agent, trace_id, created_at, deadline_at, priority, not_before, retry, callback, replay_of, schedule_id,
  approval, traceparent, status)
SELECT n.id, n.tenant_id, n.tool_id, n.tool_name, n.tool_version, n.inline_tool::json, n.idempotent,
  n.arguments::json, n.context::json, n.requested_by, n.by_agent, n.trace_id, n.created_at,
  n.deadline_at, n.priority, CASE WHEN n.delay_ms > 0 THEN now() + n.delay_ms * interval '1 ms' END,
  n.retry::json, n.callback::json, n.replay_of, n.schedule_id, n.approval::jsonb, n.traceparent,
  CASE WHEN n.approval IS NULL THEN 'queued' ELSE 'awaiting_approval' END
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::boolean[], $8::text[],
  $9::text[], $10::text[], $11::boolean[], $12::text[], $13::timestamptz[], $14::timestamptz[],
  $15::int[], $16::float8[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[])
  AS n(id, tenant_id, tool_id, tool_name, tool_version, inline_tool, idempotent, arguments, context, requested_by,
    by_agent, trace_id, created_at, deadline_at, priority, delay_ms, retry, callback, replay_of, schedule_id, approval,
    traceparent)`;

/** Inserts all or none in one statement, as `queued`, or as waiting for a person where one has to allow it. */
export async function insertExecutions(
  client: Pick<PrismaClient, "$executeRawUnsafe">,
  batch: ExecutionToInsert[],
): Promise<void[]> {
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
    column(({ execution }) => execution.priority),
    column(({ execution }) => execution.delayMs),
    column(({ retryJson }) => retryJson),
    column(({ callbackJson }) => callbackJson),
    column(({ execution }) => execution.replayOf),
    column(({ execution }) => execution.scheduleId),
    column(({ approvalJson }) => approvalJson),
    column(({ execution }) => execution.traceparent),
  );
  return batch.map(() => undefined);
}
