import {
  Fault,
  MCP_SERVER_OFF,
  type Tool,
  type ToolChange,
  type ToolStatus,
  type VersionDecision,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { violatedIndexOf } from "../sql-trouble.ts";
import { insertVersion, jsonOrNull } from "./insert-version.ts";
import { exchangingNames, recordNames } from "./name-records.ts";
import { TOOL_COLUMNS, toTool, type ToolRow } from "./tool-row.ts";
import { insertReview, supersedeWaiting } from "./version-reviews.ts";

// In SQL: each change is one statement, so that there is no moment at which a tool lacks its version; where a name or an
// alias is taken or given up, one after the lock on it.

export const COLUMNS = Prisma.raw(TOOL_COLUMNS);

/** Null when the tool is gone or not at `revision` any more. Throws `tool.name_taken`. */
export async function updateTool(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  revision: number,
  change: ToolChange,
): Promise<Tool | null> {
  const { name, alias, nameRecord } = change;
  const taken = [name, alias].filter((one) => typeof one === "string");
  const write = () => changeOne(client, tenantId, toolId, revision, change);
  const [row] = await namingTheTaken(() =>
    nameRecord || taken.length > 0 ? exchangingNames(client, toolId, taken, write) : write(),
  );
  return row ? toTool(row) : null;
}

/** A client, or a transaction of it. */
export type Step = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;

/** The locks on names that it takes or gives up are its caller's to take. */
export function changeOne(
  step: Step,
  tenantId: string,
  toolId: string,
  revision: number,
  change: ToolChange,
): Prisma.PrismaPromise<ToolRow[]> {
  const { definition, review, withdraw, nameRecord } = change;
  const made = definition ? insertVersion(definition) : Prisma.sql`SELECT * FROM tool_versions WHERE false`;
  return step.$queryRaw<ToolRow[]>`
      WITH t AS (
        UPDATE tools SET ${Prisma.join(assignments(change))}
        WHERE id = ${toolId} AND tenant_id = ${tenantId} AND revision = ${revision}::int
        RETURNING *
      ), made AS (${made})
      , v AS (
        SELECT made.* FROM made JOIN t USING (version)
        UNION ALL SELECT old.* FROM tool_versions AS old JOIN t ON old.tool_id = t.id AND old.version = t.version
      ), superseded AS (${supersedeWaiting(definition !== undefined || withdraw === true)}
      ), reviewed AS (${insertReview(review)}
      ), recorded AS (${recordNames(nameRecord)}
      )
      SELECT ${COLUMNS} FROM t, v`;
}

/** Null when the tool is gone, in none of the statuses `from`, or not at `revision` any more where one is given. */
export async function setToolStatus(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  from: readonly ToolStatus[],
  to: ToolStatus,
  revision: number | undefined,
): Promise<Tool | null> {
  const [row] = await client.$queryRaw<ToolRow[]>`
    WITH t AS (
      UPDATE tools SET ${moved(to, null)}, convictions = 0, revision = revision + 1, updated_at = now()
      WHERE id = ${toolId} AND tenant_id = ${tenantId} AND status = ANY(${[...from]}::text[])
        AND revision = coalesce(${revision ?? null}::int, revision)
      RETURNING *
    )
    SELECT ${COLUMNS} FROM t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version`;
  return row ? toTool(row) : null;
}

/** Whether the tool is of a server that is disabled; the server stays as it is until the tool is written. */
const IS_OFF = Prisma.sql`
  (SELECT s.enabled FROM mcp_servers AS s
    WHERE s.tenant_id = tools.tenant_id AND s.name = tools.mcp->>'server' FOR SHARE) IS FALSE`;
const ACTIVE_OR_OFF = Prisma.sql`CASE WHEN ${IS_OFF} THEN 'disabled' ELSE 'active' END`;

const moved = (to: ToolStatus, reason: string | null): Prisma.Sql =>
  to === "active"
    ? Prisma.sql`status = ${ACTIVE_OR_OFF},
        status_reason = CASE WHEN ${IS_OFF} THEN ${MCP_SERVER_OFF}::text ELSE ${reason}::text END`
    : Prisma.sql`status = ${to}, status_reason = ${reason}::text`;

/** After an approval the version runs. */
const APPROVED = Prisma.sql`version = coalesce(pending_version, version), convictions = 0`;
/** And a tool of which none ever ran begins to. */
const SERVING = Prisma.sql`
  status = CASE WHEN status = 'pending_approval' THEN ${ACTIVE_OR_OFF} ELSE status END,
  status_reason = CASE WHEN status = 'pending_approval' AND ${IS_OFF} THEN ${MCP_SERVER_OFF}::text ELSE status_reason END`;
const rejectedFor = (reason: string | null) => Prisma.sql`
  status = CASE WHEN status = 'pending_approval' THEN 'rejected' ELSE status END,
  status_reason = CASE WHEN status = 'pending_approval' THEN ${reason}::text ELSE status_reason END`;

/** Null when the tool is gone, not at `revision` any more, or has no such version that waits. */
export async function decideVersion(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  revision: number,
  { version, to, by, reason, approved, requirements, following = {} }: VersionDecision,
): Promise<Tool | null> {
  const decided = [
    ...(to === "approved" ? [APPROVED] : []),
    ...(following.move ? [] : [to === "approved" ? SERVING : rejectedFor(reason)]),
    ...assignments({ ...following, ...requirements }),
  ];
  const [row] = await client.$queryRaw<ToolRow[]>`
    WITH t AS (
      UPDATE tools SET ${Prisma.join(decided)}, pending_version = NULL,
        approved = coalesce(${jsonOrNull(approved)}::json, approved)
      WHERE id = ${toolId} AND tenant_id = ${tenantId} AND revision = ${revision}::int
        AND (pending_version = ${version}::int OR (status = 'pending_approval' AND version = ${version}::int))
      RETURNING *
    ), decided AS (
      UPDATE version_reviews AS r SET state = ${to}, decided_by = ${by}, decided_at = clock_timestamp(),
        reason = ${reason}::text
      FROM t WHERE r.tool_id = t.id AND r.version = ${version}::int AND r.state = 'pending'
    )
    SELECT ${COLUMNS}
    FROM t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version`;
  return row ? toTool(row) : null;
}

// Numbers of versions that were rejected or superseded are not given again.
const NEXT = Prisma.sql`(SELECT max(made.version) + 1 FROM tool_versions AS made WHERE made.tool_id = tools.id)`;
const SERVES = Prisma.sql`version = ${NEXT}, pending_version = NULL, convictions = 0`;
/** Of a tool that nobody has approved yet, the newest version is the one that stands for approval. */
const WAITS = Prisma.sql`
  version = CASE WHEN status IN ('active', 'disabled') THEN version ELSE ${NEXT} END,
  pending_version = CASE WHEN status IN ('active', 'disabled') THEN ${NEXT} END`;

function assignments(change: ToolChange): Prisma.Sql[] {
  const {
    name,
    alias,
    title,
    annotations,
    description,
    category,
    requiresApproval,
    approval,
    idempotent,
    applyDefaults,
    metadata,
    requiredApiKeys,
    requiredConfigServices,
    retry,
    dispatch,
    retention,
    definition,
    review,
    withdraw,
    approved,
    move,
  } = change;
  const set = [Prisma.sql`updated_at = now(), revision = revision + 1`];
  if (name !== undefined) set.push(Prisma.sql`name = ${name}`);
  if (alias !== undefined) set.push(Prisma.sql`alias = ${alias}`);
  if (title !== undefined) set.push(Prisma.sql`title = ${title}`);
  if (annotations !== undefined) set.push(Prisma.sql`annotations = ${jsonOrNull(annotations)}::json`);
  if (description !== undefined) set.push(Prisma.sql`description = ${description}`);
  if (category !== undefined) set.push(Prisma.sql`category = ${category}`);
  if (requiresApproval !== undefined) set.push(Prisma.sql`requires_approval = ${requiresApproval}`);
  if (approval !== undefined) set.push(Prisma.sql`approval = ${approval}`);
  if (idempotent !== undefined) set.push(Prisma.sql`idempotent = ${idempotent}`);
  if (applyDefaults !== undefined) set.push(Prisma.sql`apply_defaults = ${applyDefaults}::boolean`);
  if (metadata !== undefined) set.push(Prisma.sql`metadata = ${jsonOrNull(metadata)}::json`);
  if (requiredApiKeys !== undefined) {
    set.push(Prisma.sql`required_api_keys = ${JSON.stringify(requiredApiKeys)}::json`);
  }
  if (requiredConfigServices !== undefined) {
    set.push(Prisma.sql`required_config_services = ${JSON.stringify(requiredConfigServices)}::json`);
  }
  if (retry !== undefined) set.push(Prisma.sql`retry = ${jsonOrNull(retry)}::json`);
  if (dispatch !== undefined) set.push(Prisma.sql`dispatch = ${jsonOrNull(dispatch)}::json`);
  if (retention !== undefined) set.push(Prisma.sql`retention = ${jsonOrNull(retention)}::json`);
  if (approved !== undefined) set.push(Prisma.sql`approved = ${JSON.stringify(approved)}::json`);
  if (definition !== undefined) set.push(review ? WAITS : SERVES);
  else if (withdraw) set.push(Prisma.sql`pending_version = NULL`);
  if (move !== undefined) set.push(moved(move.to, move.reason));
  return set;
}

/** By what keeps names and aliases apart: which of the two somebody else has. */
const TAKEN: Readonly<Record<string, "name" | "alias">> = {
  tools_tenant_id_name_agent_id_key: "name",
  tools_name_is_no_alias: "name",
  tools_tenant_id_alias_agent_id_key: "alias",
  tools_alias_is_no_name: "alias",
};
/** One tool for each that a server offers. */
const OF_SERVER = "tools_mcp_key";

export async function namingTheTaken<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await statement();
  } catch (cause) {
    const index = violatedIndexOf(cause) ?? "";
    if (index === OF_SERVER)
      throw new Fault("tool.changed", {
        detail: "Somebody else took over the server's tools just now.",
        cause,
      });
    const path = TAKEN[index];
    if (path === undefined) throw cause;
    const message = "is another tool's name or alias";
    throw new Fault("tool.name_taken", {
      detail: `The ${path} ${message}.`,
      errors: [{ path, message }],
      cause,
    });
  }
}
