import type { Tool, VersionDecision } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { jsonOrNull } from "./insert-version.ts";
import { TOOL_COLUMNS, toTool, type ToolRow } from "./tool-row.ts";

/** What an approval makes of the tool: the version runs, and one that never ran begins to. */
const APPROVED = Prisma.sql`
  version = coalesce(pending_version, version), convictions = 0,
  status = CASE WHEN status = 'pending_approval' THEN 'active' ELSE status END`;
const REJECTED = Prisma.sql`
  status = CASE WHEN status = 'pending_approval' THEN 'rejected' ELSE status END`;

/** Null when the tool is gone, not at `revision` any more, or has no such version that waits. */
export async function decideVersion(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  revision: number,
  { version, to, by, approved, requirements }: VersionDecision,
): Promise<Tool | null> {
  const [row] = await client.$queryRaw<ToolRow[]>`
    WITH t AS (
      UPDATE tools SET ${to === "approved" ? APPROVED : REJECTED}, pending_version = NULL,
        approved = coalesce(${jsonOrNull(approved)}::json, approved),
        required_api_keys = ${JSON.stringify(requirements.requiredApiKeys)}::json,
        required_config_services = ${JSON.stringify(requirements.requiredConfigServices)}::json,
        revision = revision + 1, updated_at = now()
      WHERE id = ${toolId} AND tenant_id = ${tenantId} AND revision = ${revision}::int
        AND (pending_version = ${version}::int OR (status = 'pending_approval' AND version = ${version}::int))
      RETURNING *
    ), decided AS (
      UPDATE version_reviews AS r SET state = ${to}, decided_by = ${by}, decided_at = clock_timestamp()
      FROM t WHERE r.tool_id = t.id AND r.version = ${version}::int AND r.state = 'pending'
    )
    SELECT ${Prisma.raw(TOOL_COLUMNS)}
    FROM t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version`;
  return row ? toTool(row) : null;
}
