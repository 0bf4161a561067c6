import type { CataloguePage, CatalogueQuery, PageMark, Tool, ToolSort, ToolSummary } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { isInScope } from "./in-scope.ts";
import type { Sought } from "../search/text-query.ts";
import { readMcpToolRef, type Json } from "../stored-json.ts";
import { readySearch } from "./tool-terms.ts";
import { isListed } from "./search-query.ts";
import { TOOL_COLUMNS, toTool, type ToolRow } from "./tool-row.ts";

/** How each order reads its column, writes a mark of it, and reads that mark again. */
const SORTS = {
  createdAt: { column: "t.created_at", type: "timestamptz", markOf: (tool) => tool.createdAt.toISOString() },
  updatedAt: { column: "t.updated_at", type: "timestamptz", markOf: (tool) => tool.updatedAt.toISOString() },
  name: { column: "t.name", type: 'text COLLATE "C"', markOf: (tool) => tool.name },
  usageCount: { column: "t.usage_count", type: "bigint", markOf: (tool) => tool.usageCount },
} as const satisfies Record<
  ToolSort,
  { column: string; type: string; markOf: (tool: Tool) => PageMark["value"] }
>;

type Conditions = Pick<
  CatalogueQuery,
  "scope" | "agentId" | "status" | "waiting" | "category" | "createdBy"
> & { sought?: readonly Sought[] };

/** As the index of those has it. */
const IS_WAITING = Prisma.sql`(t.status = 'pending_approval' OR t.pending_version IS NOT NULL)`;

const matching = (
  tenantId: string,
  { scope, agentId, status, waiting, category, createdBy, sought }: Conditions,
): Prisma.Sql =>
  Prisma.join(
    [
      sought === undefined ? Prisma.sql`t.tenant_id = ${tenantId}` : isListed(tenantId, sought),
      ...(scope.seesAll && scope.only === undefined ? [] : [isInScope(tenantId, scope)]),
      ...(agentId === undefined ? [] : [Prisma.sql`t.agent_id = ${agentId}`]),
      ...(status === undefined ? [] : [Prisma.sql`t.status = ${status}`]),
      ...(waiting ? [IS_WAITING] : []),
      ...(category === undefined ? [] : [Prisma.sql`t.category = ${category}`]),
      ...(createdBy === undefined ? [] : [Prisma.sql`t.created_by = ${createdBy}`]),
    ],
    " AND ",
  );

/** The page is chosen among the small rows of tools; only its own tools' code and schemas are read. */
export async function pageOfTools(
  client: PrismaClient,
  tenantId: string,
  query: CatalogueQuery,
): Promise<CataloguePage> {
  const { sort, order, limit, offset, after } = query;
  const { column, type, markOf } = SORTS[sort];
  const [by, direction] = [Prisma.raw(column), Prisma.raw(order === "asc" ? "ASC" : "DESC")];
  const sought = query.words && (await readySearch(client, tenantId, query.words));
  const where = matching(tenantId, { ...query, ...(sought ? { sought } : {}) });
  const behind =
    after === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(${by}, t.id) ${Prisma.raw(order === "asc" ? ">" : "<")} (${String(after.value)}::text::${Prisma.raw(type)}, ${after.id})`;
  const [rows, [counted]] = await Promise.all([
    client.$queryRaw<ToolRow[]>`
      WITH page AS MATERIALIZED (
        SELECT t.id FROM tools AS t WHERE ${where} AND ${behind}
        ORDER BY ${by} ${direction}, t.id ${direction} LIMIT ${limit + 1}::int OFFSET ${offset}::int
      )
      SELECT ${Prisma.raw(TOOL_COLUMNS)}
      FROM page AS p JOIN tools AS t ON t.id = p.id
      JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
      ORDER BY ${by} ${direction}, t.id ${direction}`,
    client.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM tools AS t WHERE ${where}`,
  ]);
  const tools = rows.slice(0, limit).map(toTool);
  const last = rows.length > limit ? tools.at(-1) : undefined;
  return { tools, count: counted?.count ?? 0, next: last ? { value: markOf(last), id: last.id } : null };
}

/** Newest first, without what makes a tool large. In SQL, as `isInScope` is. */
export async function summariesOfTools(
  client: PrismaClient,
  tenantId: string,
  query: Pick<Conditions, "scope" | "status" | "category"> & { limit: number },
): Promise<{ tools: ToolSummary[]; count: number }> {
  const where = matching(tenantId, query);
  const [rows, [counted]] = await Promise.all([
    client.$queryRaw<(Omit<ToolSummary, "mcp"> & { mcp: Json })[]>`
      SELECT t.id, t.name, t.alias, t.mcp, t.description, t.status, t.category, t.created_by AS "createdBy",
        t.usage_count::float8 AS "usageCount"
      FROM tools AS t WHERE ${where} ORDER BY t.created_at DESC, t.id DESC LIMIT ${query.limit}::int`,
    client.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM tools AS t WHERE ${where}`,
  ]);
  const tools = rows.map((row) => ({ ...row, mcp: readMcpToolRef(row.mcp) }));
  return { tools, count: counted?.count ?? 0 };
}
