import type { AttemptKey, ExecutionStore, Usage } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { is } from "./by-id.ts";
import { RECORD_ATTEMPTS } from "./past-attempts.ts";

// Times are counted by the database's clock, as they are when a person answers. What is left to the run is what its caller
// had given it, the pause before a retry apart. The attempt is no use of the tool (`COUNT_USAGE`).
const AWAIT_PERSON = `/* executions.await_person */
WITH tried AS (
  SELECT id, tenant_id, attempt, worker_id, started_at, 'asked' AS outcome, NULL::json AS error, $5::json AS usage,
    NULL::text AS ended_by
  FROM executions
  WHERE id = $1 AND ${is("tenant_id", "$2")} AND attempt = $3::int AND ${is("status", "'running'")}
    AND approval IS NULL AND NOT effects
  FOR NO KEY UPDATE
), e AS (
  UPDATE executions AS x SET status = 'awaiting_approval', lease_until = NULL, started_at = NULL,
    deadline_at = now() + $6::float8 * interval '1 ms',
    approval = jsonb_build_object('asking', $4::jsonb || jsonb_build_object('attempt', x.attempt),
      'askedEventId', $7::text, 'timeoutMs', round(extract(epoch FROM x.deadline_at - coalesce(x.not_before, x.created_at)) * 1000),
      'expiresAt', to_char((now() + $6::float8 * interval '1 ms')::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM tried WHERE x.id = tried.id
  RETURNING x.*
), ${RECORD_ATTEMPTS}
SELECT approval->>'expiresAt' AS "expiresAt" FROM e`;

/** When the wait ends that begins now; null for whoever does not hold the attempt any more. */
export async function awaitPerson(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
  { asking, askedEventId }: Parameters<ExecutionStore["awaitPerson"]>[1],
  usage: Usage,
  waitMs: number,
): Promise<string | null> {
  const [row] = await client.$queryRawUnsafe<{ expiresAt: string }[]>(
    AWAIT_PERSON,
    executionId,
    tenantId,
    attempt,
    JSON.stringify(asking),
    JSON.stringify(usage),
    waitMs,
    askedEventId,
  );
  return row?.expiresAt ?? null;
}
