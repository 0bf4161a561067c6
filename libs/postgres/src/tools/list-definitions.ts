import { scopeOfAgent, type DefinedTool, type DefinedTools } from "@bulkhead/core";
import { readToolApproval } from "../approvals/approval-json.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { readMcpToolRef, readObject, readPermissions, readToolHints } from "../stored-json.ts";
import { isInScope } from "./in-scope.ts";
import type { ToolRow } from "./tool-row.ts";

/** In SQL, for one text, not thousands of rows: it is compared far more often than it is taken apart. */
export async function definitionMarks(
  client: PrismaClient,
  tenantId: string,
  agentId: string | null,
): Promise<string> {
  const [row] = await client.$queryRaw<[{ marks: string }]>`/* tools.definition_marks */
    SELECT coalesce(string_agg(id || ':' || revision, ',' ORDER BY created_at DESC, id DESC), '') AS marks
    FROM tools AS t WHERE ${isActive(tenantId, agentId)}`;
  return row.marks;
}

const isActive = (tenantId: string, agentId: string | null): Prisma.Sql =>
  Prisma.sql`t.tenant_id = ${tenantId} AND t.status = 'active' AND ${isInScope(tenantId, scopeOfAgent(agentId))}`;

// In SQL, since a list is cut by its size, and the length of a large value is read without the value.
const definitionsOf = (
  name: string,
  which: Prisma.Sql,
  bytesMax: number,
) => Prisma.sql`/* ${Prisma.raw(name)} */
WITH sized AS MATERIALIZED (
  SELECT t.id, t.version, t.created_at,
    sum(octet_length(t.description) + octet_length(v.parameters::text)
      + coalesce(octet_length(v.output_schema::text), 0)) OVER (ORDER BY t.created_at DESC, t.id DESC) AS bytes,
    count(*) OVER ()::int AS total
  FROM tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
  WHERE ${which}
)
SELECT t.id, t.revision, t.name, t.alias, t.title, t.annotations, t.mcp, t.idempotent, v.permissions, t.description, t.category, t.requires_approval AS "requiresApproval", t.approval,
  v.approval_code IS NOT NULL AS "hasApprovalCode",
  t.created_by AS "createdBy", v.parameters::text AS parameters, v.output_schema::text AS "outputSchema", s.bytes::float8 AS bytes, s.total
FROM sized AS s JOIN tools AS t ON t.id = s.id
JOIN tool_versions AS v ON v.tool_id = s.id AND v.version = s.version
WHERE s.bytes <= ${bytesMax}::bigint
ORDER BY s.created_at DESC, s.id DESC`;

interface Row extends Pick<
  ToolRow,
  | "id"
  | "revision"
  | "name"
  | "alias"
  | "title"
  | "annotations"
  | "mcp"
  | "idempotent"
  | "permissions"
  | "description"
  | "category"
  | "requiresApproval"
  | "approval"
  | "createdBy"
> {
  parameters: string;
  outputSchema: string | null;
  hasApprovalCode: boolean;
  /** Of this one and all before it. */
  bytes: number;
  total: number;
}

export async function listDefinitions(
  client: PrismaClient,
  tenantId: string,
  agentId: string | null,
  bytesMax: number,
  ids?: readonly string[],
): Promise<DefinedTools> {
  const all = isActive(tenantId, agentId);
  const rows = await client.$queryRaw<Row[]>(
    ids
      ? definitionsOf(
          "tools.definitions_chosen",
          Prisma.sql`${all} AND t.id = ANY(${[...ids]}::text[])`,
          bytesMax,
        )
      : definitionsOf("tools.definitions", all, bytesMax),
  );
  return {
    tools: rows.map(toDefined),
    bytes: rows.at(-1)?.bytes ?? 0,
    omitted: (rows[0]?.total ?? 0) - rows.length,
  };
}

const toDefined = ({ bytes: _bytes, total: _total, hasApprovalCode, ...row }: Row): DefinedTool => ({
  ...row,
  ...(hasApprovalCode && { approvalCode: true }),
  annotations: readToolHints(row.annotations),
  mcp: readMcpToolRef(row.mcp),
  permissions: readPermissions(row.permissions),
  approval: readToolApproval(row.approval),
  parameters: readObject(JSON.parse(row.parameters)),
  outputSchema: row.outputSchema === null ? null : readObject(JSON.parse(row.outputSchema)),
});
