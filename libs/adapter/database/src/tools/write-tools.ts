import type { NewTool, Tool, ToolChange, ToolDefinition, ToolStatus } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { violatedIndexOf } from "../sql-trouble.ts";
import { TOOL_COLUMNS, toTool, type ToolRow } from "./tool-row.ts";

// Each change is one statement, so that there is no moment at which a tool lacks its version, and no transaction that
// an ending process could leave open.

const COLUMNS = Prisma.raw(TOOL_COLUMNS);

/** Of a tool and its first version. Throws `tool.name_taken`. */
export async function createTool(client: PrismaClient, tool: NewTool): Promise<Tool> {
  const rows = await namingTheTaken(
    () =>
      client.$queryRaw<ToolRow[]>`
      WITH t AS (
        INSERT INTO tools (id, tenant_id, name, description, category, status, requires_approval, idempotent, created_by,
          metadata, required_api_keys, version, created_at, updated_at)
        VALUES (${tool.id}, ${tool.tenantId}, ${tool.name}, ${tool.description}, ${tool.category}, ${tool.status},
          ${tool.requiresApproval}, ${tool.idempotent}, ${tool.createdBy}, ${jsonOrNull(tool.metadata)}::json,
          ${JSON.stringify(tool.requiredApiKeys)}::json, 1, ${tool.createdAt}::timestamptz,
          ${tool.createdAt}::timestamptz)
        RETURNING *
      ), v AS (${insertVersion(tool)})
      SELECT ${COLUMNS} FROM t, v`,
  );
  return toTool(theOne(rows));
}

/** Null when the tool is gone or has another version than `expectedVersion`. Throws `tool.name_taken`. */
export async function updateTool(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  expectedVersion: number,
  change: ToolChange,
): Promise<Tool | null> {
  const { definition } = change;
  const made = definition ? insertVersion(definition) : Prisma.sql`SELECT * FROM tool_versions WHERE false`;
  const [row] = await namingTheTaken(
    () =>
      client.$queryRaw<ToolRow[]>`
      WITH t AS (
        UPDATE tools SET ${Prisma.join(assignments(change))}
        WHERE id = ${toolId} AND tenant_id = ${tenantId} AND version = ${expectedVersion}::int
        RETURNING *
      ), made AS (${made})
      , v AS (
        SELECT * FROM made
        UNION ALL SELECT old.* FROM tool_versions AS old JOIN t ON old.tool_id = t.id AND old.version = t.version
      )
      SELECT ${COLUMNS} FROM t, v`,
  );
  return row ? toTool(row) : null;
}

/** Null when the tool is gone or in none of the statuses `from`. */
export async function setToolStatus(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  from: readonly ToolStatus[],
  to: ToolStatus,
): Promise<Tool | null> {
  const [row] = await client.$queryRaw<ToolRow[]>`
    WITH t AS (
      UPDATE tools SET status = ${to}, status_reason = NULL, convictions = 0, updated_at = now()
      WHERE id = ${toolId} AND tenant_id = ${tenantId} AND status = ANY(${[...from]}::text[])
      RETURNING *
    )
    SELECT ${COLUMNS} FROM t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version`;
  return row ? toTool(row) : null;
}

/** The version that `t` now stands at. */
function insertVersion(definition: ToolDefinition): Prisma.Sql {
  // UTF-8 has no lone surrogates: they would be stored as another character, and other code would run than was checked.
  if (!definition.code.isWellFormed()) {
    throw new Fault("request.invalid", { detail: "The code must not contain lone surrogates." });
  }
  return Prisma.sql`
  INSERT INTO tool_versions (tool_id, version, code, parameters, permissions, limits, allowed_hosts, created_at)
  SELECT id, version, ${definition.code}, ${JSON.stringify(definition.parameters)}::json,
    ${[...definition.permissions]}::text[], ${JSON.stringify(definition.limits)}::json,
    ${definition.allowedHosts}::text[], updated_at
  FROM t RETURNING *`;
}

function assignments(change: ToolChange): Prisma.Sql[] {
  const { name, description, category, requiresApproval, idempotent, metadata, requiredApiKeys, definition } =
    change;
  const set = [Prisma.sql`updated_at = now()`];
  if (name !== undefined) set.push(Prisma.sql`name = ${name}`);
  if (description !== undefined) set.push(Prisma.sql`description = ${description}`);
  if (category !== undefined) set.push(Prisma.sql`category = ${category}`);
  if (requiresApproval !== undefined) set.push(Prisma.sql`requires_approval = ${requiresApproval}`);
  if (idempotent !== undefined) set.push(Prisma.sql`idempotent = ${idempotent}`);
  if (metadata !== undefined) set.push(Prisma.sql`metadata = ${jsonOrNull(metadata)}::json`);
  if (requiredApiKeys !== undefined) {
    set.push(Prisma.sql`required_api_keys = ${JSON.stringify(requiredApiKeys)}::json`);
  }
  if (definition !== undefined) set.push(Prisma.sql`version = version + 1, convictions = 0`);
  return set;
}

const jsonOrNull = (value: Tool["metadata"]): string | null => value && JSON.stringify(value);

async function namingTheTaken<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await statement();
  } catch (cause) {
    if (violatedIndexOf(cause) === "tools_tenant_id_name_key") throw new Fault("tool.name_taken", { cause });
    throw cause;
  }
}

function theOne<T>([row]: T[]): T {
  if (row === undefined) throw new Error("an INSERT returned no row");
  return row;
}
