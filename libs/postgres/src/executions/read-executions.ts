import {
  EXECUTION_TIMEOUT_MS_MAX,
  type Admission,
  type Execution,
  type ExecutionKey,
  type Replayable,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { readContext, readObject, readRetention, type Json } from "../stored-json.ts";
import { ADMISSION_COLUMNS, ADMISSION_JOINS, toAdmission, type AdmissionRow } from "./admission-row.ts";
import { is } from "./by-id.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";

export const FIND = `/* executions.find */
SELECT ${EXECUTION_COLUMNS} FROM executions AS e WHERE e.id = $1 AND ${is("e.tenant_id", "$2")} AND e.erased_at IS NULL`;

export async function findExecution(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<Execution | null> {
  const [row] = await client.$queryRawUnsafe<ExecutionRow[]>(FIND, executionId, tenantId);
  return row ? toExecution(row) : null;
}

export const WAS_HELD_BY = `/* executions.was_held_by */
SELECT e.id FROM executions AS e WHERE e.id = $1 AND ${is("e.tenant_id", "$2")} AND ${is("e.worker_id", "$3")}`;

/** Whether this worker was the last to claim it. */
export async function wasHeldBy(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
  workerId: string,
): Promise<boolean> {
  const rows = await client.$queryRawUnsafe<unknown[]>(WAS_HELD_BY, executionId, tenantId, workerId);
  return rows.length > 0;
}

const LIST_QUEUED = `/* executions.list_queued */
SELECT ${ADMISSION_COLUMNS} FROM executions AS e ${ADMISSION_JOINS}
WHERE e.status = 'queued' AND e.id > $1 AND e.queued_at <= now() - $2::float8 * interval '1 ms'
ORDER BY e.id LIMIT $3::int`;

/** Queued without a break for longer than `olderThanMs`, as the attempts that are to be handed out. */
export async function listQueued(
  client: PrismaClient,
  olderThanMs: number,
  after: string | null,
  limit: number,
): Promise<Admission[]> {
  const rows = await client.$queryRawUnsafe<AdmissionRow[]>(LIST_QUEUED, after ?? "", olderThanMs, limit);
  return rows.map(toAdmission);
}

export const FIND_REPLAYABLE = `/* executions.find_replayable */
SELECT id AS "executionId", tenant_id AS "tenantId", status, CASE WHEN parent_id IS NULL THEN tool_id END AS "toolId",
  arguments, context, priority, retention, coalesce('arguments' = ANY(erased), false) AS "isErased",
  coalesce((approval->>'timeoutMs')::float8,
    round(extract(epoch FROM deadline_at - coalesce(not_before, created_at)) * 1000)::float8) AS "timeoutMs"
FROM executions WHERE id = $1 AND ${is("tenant_id", "$2")} AND erased_at IS NULL`;

type ReplayableRow = Omit<Replayable, "arguments" | "context" | "retention"> &
  Record<"arguments" | "context" | "retention", Json>;

export async function findReplayable(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<Replayable | null> {
  const [row] = await client.$queryRawUnsafe<ReplayableRow[]>(FIND_REPLAYABLE, executionId, tenantId);
  if (!row) return null;
  return {
    ...row,
    arguments: readObject(row.arguments),
    context: readContext(row.context),
    timeoutMs: Math.min(Math.max(1, row.timeoutMs), EXECUTION_TIMEOUT_MS_MAX),
    retention: readRetention(row.retention),
  };
}
