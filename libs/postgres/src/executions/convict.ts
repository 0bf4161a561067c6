import type { AttemptKey, Ending, Execution } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";

/** The tool is judged only while the version that killed is the one that runs. */
const CONVICT = `/* executions.convict */
WITH ended AS (
  UPDATE executions AS e SET status = $4, result = NULL, error = $5::json, usage = $6::json, timings = $7::json,
    end_event_id = $8, ended_by = $9, finished_at = now(), lease_until = NULL
  WHERE e.id = $1 AND e.tenant_id = $2 AND e.attempt = $3::int AND e.status = 'running'
  RETURNING e.*
), held AS (
  SELECT t.id, e.finished_at, e.id AS execution_id, t.version = e.tool_version AS counts,
    t.version = e.tool_version AND t.status = 'active' AND t.convictions + 1 >= $10::int AS quarantined
  FROM tools AS t JOIN ended AS e ON e.tool_id = t.id AND e.tenant_id = t.tenant_id
  FOR NO KEY UPDATE OF t
), judged AS (
  UPDATE tools AS t SET usage_count = t.usage_count + 1, last_used_at = greatest(t.last_used_at, h.finished_at),
    convictions = t.convictions + h.counts::int,
    status = CASE WHEN h.quarantined THEN 'disabled' ELSE t.status END,
    status_reason = CASE WHEN h.quarantined THEN
      format('Version %s killed its sandbox process %s times, each time alone in a fresh one, the last time in %s. '
        'Enabling the tool starts the count anew.', t.version, t.convictions + 1, h.execution_id)
      ELSE t.status_reason END,
    revision = t.revision + h.quarantined::int,
    updated_at = CASE WHEN h.quarantined THEN now() ELSE t.updated_at END
  FROM held AS h WHERE t.id = h.id
  RETURNING h.quarantined, t.agent_id
)
SELECT ${EXECUTION_COLUMNS}, coalesce((SELECT quarantined FROM judged), false) AS quarantined,
  (SELECT agent_id FROM judged WHERE quarantined) AS "agentId" FROM ended AS e`;

export interface Conviction {
  ended: Execution;
  quarantined: boolean;
  agentId: string | null;
}

type ConvictedRow = ExecutionRow & Omit<Conviction, "ended">;

/** Null when the attempt is not held any more. */
export async function convict(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
  { status, error, usage, timings, endedBy }: Ending,
  endEventId: string,
  convictionsMax: number,
): Promise<Conviction | null> {
  const [row] = await client.$queryRawUnsafe<ConvictedRow[]>(
    CONVICT,
    executionId,
    tenantId,
    attempt,
    status,
    error && JSON.stringify(error),
    JSON.stringify(usage),
    JSON.stringify(timings),
    endEventId,
    endedBy,
    convictionsMax,
  );
  if (!row) return null;
  const { quarantined, agentId, ...ended } = row;
  return { ended: toExecution(ended), quarantined, agentId };
}
