import type { NewExecution } from "@bulkhead/core";
import type { Statements } from "../statements.ts";

/** A new execution with its documents as JSON, which is made once, by its caller. */
export interface ExecutionToInsert {
  execution: NewExecution;
  argumentsJson: string;
  contextJson: string;
  inlineToolJson: string | null;
  retryJson: string | null;
  retentionJson: string | null;
  callbackJson: string | null;
  approvalJson: string | null;
}

export const toInsert = (execution: NewExecution): ExecutionToInsert => ({
  execution,
  argumentsJson: JSON.stringify(execution.arguments),
  contextJson: JSON.stringify(execution.context),
  inlineToolJson: execution.inlineTool && JSON.stringify(execution.inlineTool),
  retryJson: execution.retry && JSON.stringify(execution.retry),
  retentionJson: execution.retention && JSON.stringify(execution.retention),
  callbackJson: execution.callback && JSON.stringify(execution.callback),
  approvalJson: execution.approval && JSON.stringify(execution.approval),
});

/** Columns that executions which were made together have in common; `created_at` and `deadline_at` in ms since 1970. */
const COMMON = {
  tenant_id: ({ execution }) => execution.tenantId,
  context: ({ contextJson }) => contextJson,
  source: ({ execution }) => execution.source,
  client: ({ execution }) => execution.client,
  requested_by: ({ execution }) => execution.requestedBy,
  access_token_id: ({ execution }) => execution.accessTokenId ?? null,
  by_agent: ({ execution }) => execution.byAgent,
  trace_id: ({ execution }) => execution.traceId,
  created_at: ({ execution }) => execution.createdAt.getTime(),
  deadline_at: ({ execution }) => execution.deadlineAt.getTime(),
  priority: ({ execution }) => execution.priority,
  delay_ms: ({ execution }) => execution.delayMs,
  callback: ({ callbackJson }) => callbackJson,
  replay_of: ({ execution }) => execution.replayOf,
  schedule_id: ({ execution }) => execution.scheduleId,
  approval: ({ approvalJson }) => approvalJson,
  tool_decides: ({ execution }) => execution.toolDecides ?? false,
  traceparent: ({ execution }) => execution.traceparent,
} satisfies Record<string, (row: ExecutionToInsert) => string | number | boolean | null>;
const READ_COMMON = Object.values(COMMON);

// A statement that is planned once loops over what it joins: what differs from row to row is no record of its own.
const INSERT = `/* executions.insert */
INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, inline_tool, idempotent, arguments,
  arguments_bytes, context, source, client, requested_by, access_token_id, by_agent, trace_id, created_at, deadline_at, priority, not_before, retry,
  callback, replay_of, schedule_id, approval, tool_decides, traceparent, retention, status)
SELECT n.id, c.tenant_id, n.tool_id, n.tool_name, n.tool_version, n.inline_tool::json, n.idempotent,
  n.arguments::json, octet_length(n.arguments), c.context::json, c.source, c.client, c.requested_by, c.access_token_id, c.by_agent, c.trace_id,
  timestamptz 'epoch' + c.created_at * interval '1 ms', timestamptz 'epoch' + c.deadline_at * interval '1 ms',
  c.priority, CASE WHEN c.delay_ms > 0 THEN now() + c.delay_ms * interval '1 ms' END,
  n.retry::json, c.callback::json, c.replay_of, c.schedule_id, c.approval::jsonb, c.tool_decides, c.traceparent, n.retention::json,
  CASE WHEN c.approval IS NULL THEN 'queued' ELSE 'awaiting_approval' END
FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::int[], $7::text[], $8::boolean[], $9::text[],
    $10::text[])
  AS n(id, arguments, alike, tool_id, tool_name, tool_version, inline_tool, idempotent, retry, retention)
JOIN json_to_recordset($11::json) AS c(alike int, tenant_id text, context text, source text, client text, requested_by text,
  access_token_id text, by_agent boolean, trace_id text, created_at float8, deadline_at float8, priority int, delay_ms float8, callback text, replay_of text,
  schedule_id text, approval text, tool_decides boolean, traceparent text) USING (alike)`;

/** Inserts all or none in one statement, as `queued`, or as waiting for a person where one has to allow it. */
export async function insertExecutions(
  statements: Pick<Statements, "$executeRawUnsafe">,
  batch: ExecutionToInsert[],
): Promise<void[]> {
  const { places, firsts } = groupAlike(batch);
  const common = firsts.map((row, alike) => ({
    alike,
    ...Object.fromEntries(Object.entries(COMMON).map(([column, read]) => [column, read(row)])),
  }));
  await statements.$executeRawUnsafe(
    INSERT,
    batch.map(({ execution }) => execution.executionId),
    batch.map(({ argumentsJson }) => argumentsJson),
    places,
    batch.map(({ execution }) => execution.toolId),
    batch.map(({ execution }) => execution.toolName),
    batch.map(({ execution }) => execution.toolVersion),
    batch.map(({ inlineToolJson }) => inlineToolJson),
    batch.map(({ execution }) => execution.idempotent),
    batch.map(({ retryJson }) => retryJson),
    batch.map(({ retentionJson }) => retentionJson),
    JSON.stringify(common),
  );
  return batch.map(() => undefined);
}

/** Neighbours that have all of `COMMON` in common are alike: the first of each group, and for each row which group it is of. */
function groupAlike(batch: ExecutionToInsert[]): { places: number[]; firsts: ExecutionToInsert[] } {
  const firsts: ExecutionToInsert[] = [];
  const places = batch.map((row) => {
    const first = firsts.at(-1);
    if (first === undefined || READ_COMMON.some((read) => read(row) !== read(first))) firsts.push(row);
    return firsts.length - 1;
  });
  return { places, firsts };
}
