import type { FoundTool, ToolCatalogue } from "@bulkhead/core";
import { readToolApproval } from "../approvals/approval-json.ts";
import type { PrismaClient } from "../generated/client.ts";
import { readMcpToolRef, type Json } from "../stored-json.ts";
import { isInScope } from "./in-scope.ts";
import { anyOf, anyWholeOf } from "../search/text-query.ts";
import { readySearch } from "./tool-terms.ts";
import { isFound } from "./search-query.ts";

type Row = Omit<FoundTool, "approval" | "mcp" | "approvalCode"> & {
  approval: string | null;
  mcp: Json;
  hasApprovalCode: boolean;
};

/**
 * Active tools in which any of the words stands, the best first: whole words win over parts of words, then a word of the name
 * weighs most, then one of the category, and the weights of all that are found add up. Among equals, the more used one. In SQL,
 * since the client has no words for a `tsvector`.
 */
export async function searchTools(
  client: PrismaClient,
  tenantId: string,
  { scope, words, limit }: Parameters<ToolCatalogue["search"]>[1],
): Promise<FoundTool[]> {
  if (words.length === 0) return [];
  const sought = await readySearch(client, tenantId, words);
  const query = anyOf(tenantId, sought);
  const whole = anyWholeOf(tenantId, sought);
  const rows = await client.$queryRaw<Row[]>`
    SELECT t.id, t.name, t.alias, t.mcp, t.description, t.category, t.requires_approval AS "requiresApproval",
      t.approval, t.created_by AS "createdBy", v.approval_code IS NOT NULL AS "hasApprovalCode"
    FROM tool_terms AS w JOIN tools AS t ON t.id = w.tool_id
    JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
    WHERE ${isFound(tenantId, query)} AND t.status = 'active' AND ${isInScope(tenantId, scope)}
    ORDER BY ts_rank(w.terms, ${whole}::tsquery) DESC, ts_rank(w.terms, ${query}::tsquery) DESC, t.usage_count DESC, t.name LIMIT ${limit}::int`;
  return rows.map(({ hasApprovalCode, ...tool }) => ({
    ...tool,
    ...(hasApprovalCode && { approvalCode: true as const }),
    mcp: readMcpToolRef(tool.mcp),
    approval: readToolApproval(tool.approval),
  }));
}
