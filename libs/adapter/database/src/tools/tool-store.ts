import {
  TOOL_ID,
  type ListedTool,
  type Tool,
  type ToolFilter,
  type ToolStore,
  type ToolVersion,
} from "@bulkhead/domain";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readObject } from "../stored-json.ts";
import {
  TOOL_COLUMNS,
  VERSION_COLUMNS,
  toTool,
  toVersion,
  type ToolRow,
  type VersionRow,
} from "./tool-row.ts";
import { createTool, setToolStatus, updateTool } from "./write-tools.ts";

/** Tools and their versions in PostgreSQL. What it throws is a Fault. */
export const openToolStore = (client: PrismaClient): ToolStore => ({
  create: (tool) => faulting(() => createTool(client, tool)),
  find: (tenantId, ref) => faulting(() => findTool(client, tenantId, ref)),
  list: (tenantId, filter) => faulting(() => listTools(client, tenantId, filter)),
  listActive: (tenantId, limit) => faulting(() => listActive(client, tenantId, limit)),
  update: (tenantId, toolId, expectedVersion, change) =>
    faulting(() => updateTool(client, tenantId, toolId, expectedVersion, change)),
  setStatus: (tenantId, toolId, from, to) =>
    faulting(() => setToolStatus(client, tenantId, toolId, from, to)),
  delete: (tenantId, toolId) =>
    faulting(async () => (await client.tool.deleteMany({ where: { id: toolId, tenantId } })).count === 1),
  findVersion: (tenantId, toolId, version) =>
    faulting(async () => {
      const [found] = await selectVersions(client, tenantId, toolId, Prisma.sql`v.version = ${version}::int`);
      return found ?? null;
    }),
  listVersions: (tenantId, toolId) =>
    faulting(() => selectVersions(client, tenantId, toolId, Prisma.sql`true`)),
});

const findBy = (name: string, column: "id" | "name") => `/* tools.${name} */
SELECT ${TOOL_COLUMNS} FROM tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
WHERE t.tenant_id = $1 AND t.${column} = $2`;
const FIND_BY_ID = findBy("find_by_id", "id");
const FIND_BY_NAME = findBy("find_by_name", "name");

async function findTool(client: PrismaClient, tenantId: string, ref: string): Promise<Tool | null> {
  const sql = TOOL_ID.test(ref) ? FIND_BY_ID : FIND_BY_NAME;
  const [row] = await client.$queryRawUnsafe<ToolRow[]>(sql, tenantId, ref);
  return row ? toTool(row) : null;
}

async function listTools(
  client: PrismaClient,
  tenantId: string,
  { status, category, createdBy, limit, offset }: ToolFilter,
): Promise<{ tools: Tool[]; count: number }> {
  const conditions = [
    Prisma.sql`t.tenant_id = ${tenantId}`,
    ...(status === undefined ? [] : [Prisma.sql`t.status = ${status}`]),
    ...(category === undefined ? [] : [Prisma.sql`t.category = ${category}`]),
    ...(createdBy === undefined ? [] : [Prisma.sql`t.created_by = ${createdBy}`]),
  ];
  const where = Prisma.join(conditions, " AND ");
  const [rows, [counted]] = await Promise.all([
    client.$queryRaw<ToolRow[]>`
      SELECT ${Prisma.raw(TOOL_COLUMNS)}
      FROM tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
      WHERE ${where} ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}::int OFFSET ${offset}::int`,
    client.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM tools AS t WHERE ${where}`,
  ]);
  return { tools: rows.map(toTool), count: counted?.count ?? 0 };
}

const LIST_ACTIVE = `/* tools.list_active */
SELECT t.id, t.name, t.description, v.parameters, t.requires_approval
FROM tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
WHERE t.tenant_id = $1 AND t.status = 'active' ORDER BY t.created_at DESC, t.id DESC LIMIT $2::int`;

async function listActive(client: PrismaClient, tenantId: string, limit: number): Promise<ListedTool[]> {
  type Row = Pick<ToolRow, "id" | "name" | "description" | "parameters" | "requires_approval">;
  const rows = await client.$queryRawUnsafe<Row[]>(LIST_ACTIVE, tenantId, limit);
  return rows.map(({ parameters, requires_approval, ...tool }) => ({
    ...tool,
    parameters: readObject(parameters),
    requiresApproval: requires_approval,
  }));
}

async function selectVersions(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  condition: Prisma.Sql,
): Promise<ToolVersion[]> {
  const rows = await client.$queryRaw<VersionRow[]>`
    SELECT v.tool_id, v.version, v.created_at, ${Prisma.raw(VERSION_COLUMNS)}
    FROM tool_versions AS v JOIN tools AS t ON t.id = v.tool_id
    WHERE v.tool_id = ${toolId} AND t.tenant_id = ${tenantId} AND ${condition}
    ORDER BY v.version DESC`;
  return rows.map(toVersion);
}
