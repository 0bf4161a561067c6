import {
  DRY_RUN_TIMEOUT_MS,
  EVIDENCE_ARGUMENTS_CHARS_MAX,
  EXECUTION_STATUSES,
  type DryRun,
  type DryRunSeen,
  type DryRunStore,
  type NewDryRun,
} from "@bulkhead/core";
import type { PrismaClient, VersionDryRun } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readObject, type Json } from "../stored-json.ts";
import { insertAutomatic, listSuperseded } from "./automatic-dry-runs.ts";
import { readEffects } from "./review-json.ts";

/** The dry runs of versions in PostgreSQL. What it throws is a Fault. */
export const openDryRunStore = (client: PrismaClient): DryRunStore => ({
  insert: (run, dryRunsMax) => faulting(() => insert(client, run, dryRunsMax)),
  insertAutomatic: (run, bound) => faulting(() => insertAutomatic(client, run, bound)),
  refuse: (executionId, { code, message }) =>
    faulting(async () => {
      const data = { status: "not_run", error: { code, message } };
      await client.versionDryRun.updateMany({ where: { executionId, status: null }, data });
    }),
  record: (executionId, seen) => faulting(() => record(client, executionId, seen)),
  list: (tenantId, toolId, version) => faulting(() => list(client, tenantId, toolId, version)),
  listSuperseded: (tenantId, toolId) => faulting(() => listSuperseded(client, tenantId, toolId)),
});

// In SQL, for the arguments as they were written. Two at once may both find room for one: the bound is against floods, not
// to be met exactly.
const INSERT = `/* dry_runs.insert */
INSERT INTO version_dry_runs (execution_id, tool_id, version, arguments, generated)
SELECT $1, v.tool_id, v.version, $5::json, $6::boolean
FROM tool_versions AS v JOIN tools AS t ON t.id = v.tool_id
WHERE t.tenant_id = $2 AND v.tool_id = $3 AND v.version = $4::int
  AND (SELECT count(*) FROM version_dry_runs WHERE tool_id = $3 AND version = $4::int) < $7::int
RETURNING execution_id`;

async function insert(client: PrismaClient, run: NewDryRun, dryRunsMax: number): Promise<boolean> {
  const rows = await client.$queryRawUnsafe<unknown[]>(
    INSERT,
    run.executionId,
    run.tenantId,
    run.toolId,
    run.version,
    JSON.stringify(run.arguments),
    run.generated,
    dryRunsMax,
  );
  return rows.length === 1;
}

// In SQL, for the result as the tool gave it.
const RECORD = `/* dry_runs.record */
UPDATE version_dry_runs SET status = $2, result = $3::json, truncated = $4::boolean, error = $5::json, effects = $6::json
WHERE execution_id = $1`;

async function record(client: PrismaClient, executionId: string, seen: DryRunSeen): Promise<void> {
  await client.$executeRawUnsafe(
    RECORD,
    executionId,
    seen.status,
    JSON.stringify(seen.result),
    seen.truncated,
    seen.error && JSON.stringify(seen.error),
    JSON.stringify(seen.effects),
  );
}

type Row = Pick<
  VersionDryRun,
  "executionId" | "arguments" | "generated" | "truncated" | "error" | "effects"
> & {
  result: DryRun["result"];
  createdAt: Date;
  status: string;
};

// In SQL, since nothing refers from dry runs to executions. The execution's own end counts above what a worker saw of a
// try, which may have lost a race against a cancellation.
const LIST = `/* dry_runs.list */
SELECT d.execution_id AS "executionId", CASE WHEN length(d.arguments::text) <= $5::int THEN d.arguments END AS arguments,
  d.generated, d.result, d.truncated, coalesce(d.error, e.error) AS error, d.effects, d.created_at AS "createdAt", coalesce(e.status, d.status,
    CASE WHEN d.created_at < now() - $4::float8 * interval '1 ms' THEN 'lost' ELSE 'queued' END) AS status
FROM version_dry_runs AS d JOIN tools AS t ON t.id = d.tool_id
  LEFT JOIN executions AS e ON e.id = d.execution_id AND e.tenant_id = t.tenant_id
WHERE t.tenant_id = $1 AND d.tool_id = $2 AND d.version = $3::int
ORDER BY d.created_at, d.execution_id`;

async function list(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  version: number,
): Promise<DryRun[]> {
  const rows = await client.$queryRawUnsafe<Row[]>(
    LIST,
    tenantId,
    toolId,
    version,
    DRY_RUN_TIMEOUT_MS,
    EVIDENCE_ARGUMENTS_CHARS_MAX,
  );
  return rows.map(toDryRun);
}

/** A status that this build does not know reads as `lost`: nothing more is known of the run. */
const toDryRun = (row: Row): DryRun => ({
  ...row,
  arguments: row.arguments === null ? null : readObject(row.arguments),
  status: [...EXECUTION_STATUSES, "not_run" as const].find((known) => known === row.status) ?? "lost",
  error: readRefusal(row.error),
  effects: readEffects(row.effects),
});

function readRefusal(json: Json): DryRun["error"] {
  if (json === null) return null;
  const { code, message } = readObject(json);
  return {
    code: typeof code === "string" ? code : "service.internal",
    message: typeof message === "string" ? message : "",
  };
}
