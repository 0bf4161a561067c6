import {
  TOOL_ID,
  type ListedTool,
  type Tool,
  type ToolScope,
  type ToolStore,
  type VersionSummary,
} from "@bulkhead/core";
import { readToolApproval } from "../approvals/approval-json.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readMcpToolRef, readObject } from "../stored-json.ts";
import { isInScope } from "./in-scope.ts";
import {
  TOOL_COLUMNS,
  SUMMARY_COLUMNS,
  VERSION_COLUMNS,
  toSummary,
  toTool,
  toVersion,
  type ToolRow,
  type VersionRow,
} from "./tool-row.ts";
import { deleteTool, findNameRecord } from "./name-records.ts";
import { findReview } from "./version-reviews.ts";
import { createTool, createTools, storeTools } from "./create-tools.ts";
import { decideVersion, setToolStatus, updateTool } from "./write-tools.ts";

/** Tools and their versions in PostgreSQL. What it throws is a Fault. */
export const openToolStore = (client: PrismaClient): ToolStore => ({
  create: (tool) => faulting(() => createTool(client, tool)),
  createAll: (tools, changes = [], of) =>
    faulting(() =>
      changes.length > 0 || of !== undefined
        ? storeTools(client, tools, changes, [], of).then((stored) => stored.tools)
        : createTools(client, tools),
    ),
  storeAll: (tools, changes, deletions) =>
    faulting(async () =>
      changes.length + deletions.length > 0
        ? storeTools(client, tools, changes, deletions)
        : { tools: await createTools(client, tools), deleted: [] },
    ),
  find: (tenantId, ref, scope) => faulting(() => findTool(client, tenantId, ref, scope)),
  listActive: (tenantId, scope, limit) => faulting(() => listActive(client, tenantId, scope, limit)),
  update: (tenantId, toolId, revision, change) =>
    faulting(() => updateTool(client, tenantId, toolId, revision, change)),
  setStatus: (tenantId, toolId, from, to, revision) =>
    faulting(() => setToolStatus(client, tenantId, toolId, from, to, revision)),
  decide: (tenantId, toolId, revision, decision) =>
    faulting(() => decideVersion(client, tenantId, toolId, revision, decision)),
  delete: (tenantId, toolId, revision, record) =>
    faulting(() => deleteTool(client, tenantId, toolId, revision, record)),
  findNameRecord: (tenantId, agentId, name) =>
    faulting(() => findNameRecord(client, tenantId, agentId, name)),
  findReview: (tenantId, toolId, version) => faulting(() => findReview(client, tenantId, toolId, version)),
  findVersion: (tenantId, toolId, version) =>
    faulting(async () => {
      const [found] = await client.$queryRawUnsafe<VersionRow[]>(FIND_VERSION, tenantId, toolId, version);
      return found ? toVersion(found) : null;
    }),
  listVersions: (tenantId, toolId, page) => faulting(() => listVersions(client, tenantId, toolId, page)),
});

const SELECT_TOOL = `SELECT ${TOOL_COLUMNS}
FROM tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version`;
const FIND_BY_ID = `/* tools.find_by_id */
${SELECT_TOOL} WHERE t.tenant_id = $1 AND t.id = $2 AND ($4::boolean OR t.agent_id IS NULL OR t.agent_id = $3)`;
const owned = (column: "name" | "alias", owner: string): string =>
  `(SELECT o.id FROM tools AS o WHERE o.tenant_id = $1 AND o.${column} = $2 AND o.agent_id ${owner})`;
// Up to four looks at two indexes, each only where the ones before find nothing.
const FIND_BY_NAME = `/* tools.find_by_name */
${SELECT_TOOL} WHERE t.id = coalesce(
  ${owned("name", "= $3")}, ${owned("alias", "= $3")}, ${owned("name", "IS NULL")}, ${owned("alias", "IS NULL")})`;

async function findTool(
  client: PrismaClient,
  tenantId: string,
  ref: string,
  { agentId, seesAll }: ToolScope,
): Promise<Tool | null> {
  const [row] = TOOL_ID.test(ref)
    ? await client.$queryRawUnsafe<ToolRow[]>(FIND_BY_ID, tenantId, ref, agentId, seesAll)
    : await client.$queryRawUnsafe<ToolRow[]>(FIND_BY_NAME, tenantId, ref, agentId);
  return row ? toTool(row) : null;
}

async function listActive(
  client: PrismaClient,
  tenantId: string,
  scope: ToolScope,
  limit: number,
): Promise<ListedTool[]> {
  type Row = Pick<
    ToolRow,
    | "id"
    | "name"
    | "alias"
    | "mcp"
    | "description"
    | "parameters"
    | "requiresApproval"
    | "approval"
    | "createdBy"
  > & { hasApprovalCode: boolean };
  const rows = await client.$queryRaw<
    Row[]
  >`/* ${Prisma.raw(scope.only === undefined ? "tools.list_active" : "tools.list_active_of_some")} */
    SELECT t.id, t.name, t.alias, t.mcp, t.description, v.parameters, t.requires_approval AS "requiresApproval",
      t.approval, t.created_by AS "createdBy", v.approval_code IS NOT NULL AS "hasApprovalCode"
    FROM (
      SELECT * FROM tools AS t WHERE t.tenant_id = ${tenantId} AND t.status = 'active' AND ${isInScope(tenantId, scope)}
      ORDER BY t.requires_approval, t.created_at DESC, t.id DESC LIMIT ${limit}::int
    ) AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
    ORDER BY t.requires_approval, t.created_at DESC, t.id DESC`;
  return rows.map(({ hasApprovalCode, ...tool }) => ({
    ...tool,
    ...(hasApprovalCode && { approvalCode: true as const }),
    mcp: readMcpToolRef(tool.mcp),
    approval: readToolApproval(tool.approval),
    parameters: readObject(tool.parameters),
  }));
}

const FIND_VERSION = `/* tools.find_version */
SELECT ${VERSION_COLUMNS} FROM tool_versions AS v JOIN tools AS t ON t.id = v.tool_id
WHERE t.tenant_id = $1 AND v.tool_id = $2 AND v.version = $3::int`;

async function listVersions(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  { limit, before }: { limit: number; before?: number },
): Promise<VersionSummary[]> {
  const older = before === undefined ? Prisma.empty : Prisma.sql`AND v.version < ${before}::int`;
  const rows = await client.$queryRaw<VersionRow[]>`
    SELECT ${Prisma.raw(SUMMARY_COLUMNS)}
    FROM tool_versions AS v JOIN tools AS t ON t.id = v.tool_id
    WHERE v.tool_id = ${toolId} AND t.tenant_id = ${tenantId} ${older}
    ORDER BY v.version DESC LIMIT ${limit}::int`;
  return rows.map(toSummary);
}
