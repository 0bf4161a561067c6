import {
  EXECUTION_ATTEMPTS_MAX,
  HOLDER_FIRST_EVENT,
  statusesBefore,
  type Ending,
  type Execution,
  type ExecutionError,
  type ExecutionKey,
  type Json,
  type SweptExecution,
} from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";
import { readTenantLimits } from "../stored-json.ts";
import { COUNT_USAGE } from "./count-usage.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";

/** `outsiderEndEventId` of the row's attempt. */
const OUTSIDER_END_EVENT_ID = `concat(e.attempt + 1, '-', ${HOLDER_FIRST_EVENT})`;

const DEADLINE_PASSED: ExecutionError = {
  code: "execution.deadline",
  message: "The deadline passed before a worker took the execution.",
};
const WORKER_LOST: ExecutionError = {
  code: "execution.lost",
  message:
    "The worker was lost and the execution may not be tried again: its tool had asked for an effect and is not declared idempotent, or it was tried too often, or it was called by another tool.",
};

/** What can be said of a run that is ended from outside: how long it ran; its holder knows the rest and may not tell. */
const USAGE_SO_FAR = `json_build_object('cpuMs', 0, 'memoryPeakMib', 0, 'networkRequests', 0,
      'wallMs', round(extract(epoch FROM now() - e.started_at) * 1000))`;

const END_FROM_OUTSIDE = `/* executions.end_from_outside */
WITH ended AS (
  UPDATE executions AS e SET status = $3, error = $4::json, end_event_id = ${OUTSIDER_END_EVENT_ID},
    finished_at = now(), lease_until = NULL, usage = CASE WHEN e.status = 'running' THEN ${USAGE_SO_FAR} ELSE e.usage END
  WHERE e.id = $1 AND e.tenant_id = $2 AND e.status = ANY($5::text[])
  RETURNING ${EXECUTION_COLUMNS}
), ${COUNT_USAGE}
SELECT * FROM ended`;

/** Ends an execution from wherever the table of states allows it; null when nothing was there to end. */
export async function endFromOutside(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
  { status, error }: Pick<Ending, "status" | "error">,
): Promise<Execution | null> {
  const errorJson = error && JSON.stringify(error);
  const from = statusesBefore(status);
  const [row] = await client.$queryRawUnsafe<ExecutionRow[]>(
    END_FROM_OUTSIDE,
    executionId,
    tenantId,
    status,
    errorJson,
    from,
  );
  return row ? toExecution(row) : null;
}

// The statuses are spelt out, so that the partial index on the deadline serves; $2 leaves those that may time out.
const EXPIRE_OVERDUE = `/* executions.expire_overdue */
WITH overdue AS (
  SELECT id FROM executions
  WHERE status IN ('queued', 'awaiting_approval') AND status = ANY($2::text[]) AND deadline_at <= now()
  ORDER BY deadline_at LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
), ended AS (
  UPDATE executions AS e SET status = 'timed_out', error = $3::json, end_event_id = ${OUTSIDER_END_EVENT_ID},
    finished_at = now()
  FROM overdue AS o WHERE e.id = o.id
  RETURNING ${EXECUTION_COLUMNS}
), ${COUNT_USAGE}
SELECT * FROM ended`;

/** Ends what was not begun in time. Several may sweep at once: each execution is answered to one of them. */
export async function expireOverdue(client: PrismaClient, limit: number): Promise<Execution[]> {
  const from = statusesBefore("timed_out");
  const error = JSON.stringify(DEADLINE_PASSED);
  const rows = await client.$queryRawUnsafe<ExecutionRow[]>(EXPIRE_OVERDUE, limit, from, error);
  return rows.map(toExecution);
}

const RECOVER_EXPIRED_LEASES = `/* executions.recover_expired_leases */
WITH expired AS (
  SELECT id, ((NOT effects OR idempotent) AND attempt < ${EXECUTION_ATTEMPTS_MAX}
    -- What another execution's tool asked for is nobody's any more: the caller's own recovery asks for it anew.
    AND parent_id IS NULL) AS again FROM executions
  WHERE status = 'running' AND lease_until <= now()
  ORDER BY lease_until LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
), moved AS (
  UPDATE executions AS e SET lease_until = NULL,
    status = CASE WHEN x.again THEN 'queued' ELSE 'lost' END,
    queued_at = CASE WHEN x.again THEN now() ELSE e.queued_at END,
    started_at = CASE WHEN x.again THEN NULL ELSE e.started_at END,
    error = CASE WHEN NOT x.again THEN $2::json END,
    end_event_id = CASE WHEN NOT x.again THEN ${OUTSIDER_END_EVENT_ID} END,
    finished_at = CASE WHEN NOT x.again THEN now() END
  FROM expired AS x WHERE e.id = x.id
  RETURNING ${EXECUTION_COLUMNS}
), ended AS (
  SELECT * FROM moved WHERE status = 'lost'
), ${COUNT_USAGE}
SELECT m.*, n.limits FROM moved AS m LEFT JOIN tenants AS n ON n.id = m.tenant_id`;

/** Takes attempts from holders that let their lease run out. Several may sweep at once. */
export async function recoverExpiredLeases(
  client: PrismaClient,
  limit: number,
): Promise<{ requeued: SweptExecution[]; lost: Execution[] }> {
  type Row = ExecutionRow & { limits: Json };
  const error = JSON.stringify(WORKER_LOST);
  const rows = await client.$queryRawUnsafe<Row[]>(RECOVER_EXPIRED_LEASES, limit, error);
  return {
    requeued: rows.filter((row) => row.status === "queued").map(toSwept),
    lost: rows.filter((row) => row.status === "lost").map(toExecution),
  };
}

/** A queued row, as the attempt that is to be handed out: the one after those that were tried. */
export function toSwept(row: {
  id: string;
  tenant_id: string;
  attempt: number;
  limits: Json;
}): SweptExecution {
  const { maxConcurrentExecutions } = readTenantLimits(row.limits);
  return {
    executionId: row.id,
    tenantId: row.tenant_id,
    attempt: row.attempt + 1,
    maxConcurrentExecutions,
  };
}
