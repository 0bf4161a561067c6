import { DRY_RUN_TIMEOUT_MS, type DryRunStore, type NewDryRun } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";

// In SQL, since nothing refers from dry runs to executions. Those that a worker has put down, or that were not accepted,
// have a status; none outlives its time by much.
const IN_FLIGHT = `SELECT count(*) FROM version_dry_runs AS d JOIN tools AS t ON t.id = d.tool_id
  LEFT JOIN executions AS e ON e.id = d.execution_id AND e.tenant_id = t.tenant_id
WHERE d.status IS NULL AND d.created_at > now() - $7::float8 * interval '1 ms' AND d.generated AND t.tenant_id = $2
  AND coalesce(e.status, 'queued') IN ('queued', 'running')`;

const INSERT_AUTOMATIC = `/* dry_runs.insert_automatic */
WITH busy AS (SELECT (${IN_FLIGHT}) >= $8::int AS yes)
INSERT INTO version_dry_runs (execution_id, tool_id, version, arguments, generated, status, error)
SELECT $1, r.tool_id, r.version, $5::json, $6::boolean,
  CASE WHEN busy.yes THEN 'not_run' END, CASE WHEN busy.yes THEN $9::json END
FROM version_reviews AS r JOIN tools AS t ON t.id = r.tool_id CROSS JOIN busy
WHERE t.tenant_id = $2 AND r.tool_id = $3 AND r.version = $4::int AND r.state = 'pending'
RETURNING status`;

/** As the port says. Two at once may both find room: the bound is against floods, not to be met exactly. */
export async function insertAutomatic(
  client: PrismaClient,
  run: NewDryRun,
  { inFlightMax, busy }: Parameters<DryRunStore["insertAutomatic"]>[1],
): Promise<"inserted" | "busy" | "not_waiting"> {
  const [row] = await client.$queryRawUnsafe<{ status: string | null }[]>(
    INSERT_AUTOMATIC,
    run.executionId,
    run.tenantId,
    run.toolId,
    run.version,
    JSON.stringify(run.arguments),
    run.generated,
    DRY_RUN_TIMEOUT_MS,
    inFlightMax,
    JSON.stringify(busy),
  );
  if (row === undefined) return "not_waiting";
  return row.status === null ? "inserted" : "busy";
}

const LIST_SUPERSEDED = `/* dry_runs.list_superseded */
SELECT d.execution_id FROM version_dry_runs AS d JOIN version_reviews AS r USING (tool_id, version)
  JOIN executions AS e ON e.id = d.execution_id AND e.tenant_id = $1
WHERE d.tool_id = $2 AND r.state = 'superseded' AND d.status IS NULL AND e.status = 'queued'
  AND d.created_at > now() - $3::float8 * interval '1 ms'`;

/** As the port says. */
export async function listSuperseded(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
): Promise<string[]> {
  const rows = await client.$queryRawUnsafe<{ execution_id: string }[]>(
    LIST_SUPERSEDED,
    tenantId,
    toolId,
    DRY_RUN_TIMEOUT_MS,
  );
  return rows.map(({ execution_id: executionId }) => executionId);
}
