import {
  CATEGORIES_COUNTED_MAX,
  type CalledTool,
  type ToolCatalogue,
  type ToolScope,
  type ToolStats,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readMcpToolRef, type Json } from "../stored-json.ts";
import { isInScope } from "./in-scope.ts";
import { definitionMarks, listDefinitions } from "./list-definitions.ts";
import { pageOfTools, summariesOfTools } from "./list-tools.ts";
import { searchTools } from "./search-tools.ts";

/** Looks for tools in PostgreSQL. What it throws is a Fault. */
export const openToolCatalogue = (client: PrismaClient): ToolCatalogue => ({
  page: (tenantId, query) => faulting(() => pageOfTools(client, tenantId, query)),
  stats: (tenantId, scope, agentId) => faulting(() => statsOfTools(client, tenantId, scope, agentId)),
  countOfAgents: (tenantId) =>
    faulting(
      () => client.$queryRaw<{ agentId: string; count: number }[]>`/* tools.count_of_agents */
        SELECT t.agent_id AS "agentId", count(*)::int AS count FROM tools AS t
        WHERE t.tenant_id = ${tenantId} AND t.agent_id IS NOT NULL GROUP BY t.agent_id`,
    ),
  names: (tenantId, scope) => faulting(() => namesOfTools(client, tenantId, scope)),
  summaries: (tenantId, query) => faulting(() => summariesOfTools(client, tenantId, query)),
  search: (tenantId, query) => faulting(() => searchTools(client, tenantId, query)),
  definitionMarks: (tenantId, agentId) => faulting(() => definitionMarks(client, tenantId, agentId)),
  definitions: (tenantId, agentId, bytesMax, ids) =>
    faulting(() => listDefinitions(client, tenantId, agentId, bytesMax, ids)),
});

/** In SQL, as `isInScope` is. */
async function namesOfTools(client: PrismaClient, tenantId: string, scope: ToolScope): Promise<CalledTool[]> {
  const rows = await client.$queryRaw<(Omit<CalledTool, "mcp"> & { mcp: Json })[]>`/* tools.names */
    SELECT t.id, t.name, t.alias, t.mcp, t.status FROM tools AS t
    WHERE t.tenant_id = ${tenantId} AND ${isInScope(tenantId, scope)}
    ORDER BY t.agent_id NULLS FIRST`;
  return rows.map((row) => ({ ...row, mcp: readMcpToolRef(row.mcp) }));
}

/** Where no tools are, zero of everything. In SQL, since the client would read the tools once for each count. */
async function statsOfTools(
  client: PrismaClient,
  tenantId: string,
  scope: ToolScope,
  agentId?: string,
): Promise<ToolStats> {
  const [row] = await client.$queryRaw<
    [ToolStats]
  >`/* ${Prisma.raw(scope.only === undefined ? "tools.stats" : "tools.stats_of_some")} */
    WITH seen AS (
      SELECT t.status, t.pending_version, t.created_by, t.usage_count, t.category FROM tools AS t
      WHERE t.tenant_id = ${tenantId} AND ${isInScope(tenantId, scope)}
        AND t.agent_id IS NOT DISTINCT FROM coalesce(${agentId ?? null}::text, t.agent_id))
    SELECT count(*)::int AS total,
      count(*) FILTER (WHERE status = 'active')::int AS active,
      count(*) FILTER (WHERE status = 'disabled')::int AS disabled,
      count(*) FILTER (WHERE status = 'rejected')::int AS rejected,
      count(*) FILTER (WHERE status = 'pending_approval' OR pending_version IS NOT NULL)::int AS "pendingApproval",
      count(*) FILTER (WHERE created_by = 'llm')::int AS "createdByLlm",
      count(*) FILTER (WHERE created_by = 'user')::int AS "createdByUser",
      coalesce(sum(usage_count), 0)::float8 AS "totalUsage",
      (SELECT coalesce(json_agg(c), '[]') FROM (
        SELECT category AS name, count(*)::int AS count FROM seen WHERE category IS NOT NULL
        GROUP BY category ORDER BY count(*) DESC, category LIMIT ${CATEGORIES_COUNTED_MAX}::int) AS c) AS categories
    FROM seen`;
  return row;
}
