import {
  EXECUTION_ATTEMPTS_MAX,
  HOLDER_FIRST_EVENT,
  NOT_ALLOWED,
  statusesBefore,
  type Execution,
  type ExecutionError,
  type ExecutionKey,
  type ExecutionStore,
} from "@bulkhead/core";
import { answered } from "../approvals/allow-execution.ts";
import type { PrismaClient } from "../generated/client.ts";
import { ADMISSION_COLUMNS, ADMISSION_JOINS, toAdmission, type AdmissionRow } from "./admission-row.ts";
import { COUNT_USAGE } from "./count-usage.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";
import { RECORD_ATTEMPTS } from "./past-attempts.ts";

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

const TRY_LOST: ExecutionError = {
  code: "execution.lost",
  message: "The worker was lost; another one tries again.",
};

/** How long a run that is ended from outside has waited and run so far; its holder tells the rest when it is dead. */
const USAGE_SO_FAR = `json_build_object('cpuMs', 0, 'memoryPeakMib', 0, 'networkRequests', 0,
      'wallMs', round(extract(epoch FROM now() - e.started_at) * 1000))`;
const TIMINGS_SO_FAR = `json_build_object(
      'dwell', round(extract(epoch FROM e.started_at - e.accepted_at) * 1000, 2),
      'run', round(extract(epoch FROM now() - e.started_at) * 1000, 2))`;

const END_FROM_OUTSIDE = `/* executions.end_from_outside */
WITH ended AS (
  UPDATE executions AS e SET status = $3, error = $4::json, end_event_id = ${OUTSIDER_END_EVENT_ID},
    finished_at = now(), lease_until = NULL, usage = CASE WHEN e.status = 'running' THEN ${USAGE_SO_FAR} ELSE e.usage END,
    timings = CASE WHEN e.status = 'running' THEN ${TIMINGS_SO_FAR} ELSE e.timings END,
    approval = CASE WHEN $6::text IS NULL THEN e.approval ELSE ${answered("$6::text", "$7::text", { reason: "$8::text" })} END
  WHERE e.id = $1 AND e.tenant_id = $2 AND e.status = ANY($5::text[])
  RETURNING e.*
), ${COUNT_USAGE}
SELECT ${EXECUTION_COLUMNS} FROM ended AS e`;

/** Ends an execution from wherever the table of states allows it; null when nothing was there to end. */
export async function endFromOutside(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
  { status, error, answer }: Parameters<ExecutionStore["endFromOutside"]>[1],
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
    answer?.answer ?? null,
    answer?.by ?? null,
    answer?.reason ?? null,
  );
  return row ? toExecution(row) : null;
}

const EXPIRE_OVERDUE = `/* executions.expire_overdue */
WITH overdue AS (
  SELECT id FROM executions
  WHERE status IN ('queued', 'awaiting_approval') AND deadline_at <= now()
  ORDER BY deadline_at LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
), ended AS (
  UPDATE executions AS e SET end_event_id = ${OUTSIDER_END_EVENT_ID}, finished_at = now(),
    status = CASE e.status WHEN 'queued' THEN 'timed_out' ELSE 'denied' END,
    error = CASE e.status WHEN 'queued' THEN $2::json ELSE $3::json END,
    approval = CASE e.status WHEN 'queued' THEN e.approval ELSE ${answered("'expire'", "NULL::text")} END
  FROM overdue AS o WHERE e.id = o.id
  RETURNING e.*
), ${COUNT_USAGE}
SELECT ${EXECUTION_COLUMNS} FROM ended AS e`;

/**
 * Ends what was not begun in time, and what nobody allowed in time. Several may sweep at once: each execution is answered
 * to one of them.
 */
export async function expireOverdue(client: PrismaClient, limit: number): Promise<Execution[]> {
  const errors = [DEADLINE_PASSED, NOT_ALLOWED.expire].map((error) => JSON.stringify(error));
  const rows = await client.$queryRawUnsafe<ExecutionRow[]>(EXPIRE_OVERDUE, limit, ...errors);
  return rows.map(toExecution);
}

/** Takes the running attempts for which `condition` holds from their holders. */
const recovery = (name: string, condition: string): string => `/* ${name} */
WITH taken AS (
  SELECT id, tenant_id, attempt, worker_id, started_at, 'lost' AS outcome, $3::json AS error, NULL::json AS usage,
    NULL::text AS ended_by, ((NOT effects OR idempotent) AND attempt < ${EXECUTION_ATTEMPTS_MAX}
    -- What another execution's tool asked for is nobody's any more: the caller's own recovery asks for it anew.
    AND parent_id IS NULL) AS again FROM executions
  WHERE status = 'running' AND ${condition}
  ORDER BY lease_until LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
), moved AS (
  UPDATE executions AS e SET lease_until = NULL,
    status = CASE WHEN x.again THEN 'queued' ELSE 'lost' END,
    queued_at = CASE WHEN x.again THEN now() ELSE e.queued_at END,
    started_at = CASE WHEN x.again THEN NULL ELSE e.started_at END,
    effects = CASE WHEN x.again THEN false ELSE e.effects END,
    error = CASE WHEN NOT x.again THEN $2::json END,
    end_event_id = CASE WHEN NOT x.again THEN ${OUTSIDER_END_EVENT_ID} END,
    finished_at = CASE WHEN NOT x.again THEN now() END
  FROM taken AS x WHERE e.id = x.id
  RETURNING e.*
), ended AS (
  SELECT * FROM moved WHERE status = 'lost'
), tried AS (
  SELECT * FROM taken WHERE again
), ${RECORD_ATTEMPTS}, ${COUNT_USAGE}
SELECT ${EXECUTION_COLUMNS}, ${ADMISSION_COLUMNS} FROM moved AS e ${ADMISSION_JOINS}`;

const RECOVER_EXPIRED_LEASES = recovery("executions.recover_expired_leases", "lease_until <= now()");
const RECOVER_ATTEMPTS_OF = recovery("executions.recover_attempts_of", "worker_id = ANY($4::text[])");

type Recovered = Awaited<ReturnType<ExecutionStore["recoverExpiredLeases"]>>;

/** Takes attempts from holders that let their lease run out. Several may sweep at once. */
export const recoverExpiredLeases = (client: PrismaClient, limit: number): Promise<Recovered> =>
  recover(client, RECOVER_EXPIRED_LEASES, limit);

/** Takes attempts from workers that are dead for certain, before their leases run out. */
export const recoverAttemptsOf = (
  client: PrismaClient,
  workerIds: readonly string[],
  limit: number,
): Promise<Recovered> => recover(client, RECOVER_ATTEMPTS_OF, limit, workerIds);

async function recover(
  client: PrismaClient,
  sql: string,
  limit: number,
  ...of: unknown[]
): Promise<Recovered> {
  const errors = [WORKER_LOST, TRY_LOST].map((error) => JSON.stringify(error));
  const rows = await client.$queryRawUnsafe<(ExecutionRow & AdmissionRow)[]>(sql, limit, ...errors, ...of);
  return {
    requeued: rows.filter((row) => row.status === "queued").map(toAdmission),
    lost: rows.filter((row) => row.status === "lost").map(toLost),
  };
}

function toLost(row: ExecutionRow & AdmissionRow): Execution {
  const { delayMs: _delayMs, limits: _limits, limitsAsOf: _limitsAsOf, dispatch: _dispatch, ...ended } = row;
  return toExecution(ended);
}
