import type { ToolScope, ToolStats } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { isInScope } from "./in-scope.ts";

interface StatsRow {
  total: number;
  active: number;
  disabled: number;
  pending_approval: number;
  by_llm: number;
  by_user: number;
  total_usage: number;
}

/** Where no tools are, zero of everything. */
export async function statsOfTools(
  client: PrismaClient,
  tenantId: string,
  scope: ToolScope,
  agentId?: string,
): Promise<ToolStats> {
  const [row] = await client.$queryRaw<[StatsRow]>`/* tools.stats */
    SELECT count(*)::int AS total,
      count(*) FILTER (WHERE status = 'active')::int AS active,
      count(*) FILTER (WHERE status = 'disabled')::int AS disabled,
      count(*) FILTER (WHERE status = 'pending_approval' OR pending_version IS NOT NULL)::int AS pending_approval,
      count(*) FILTER (WHERE created_by = 'llm')::int AS by_llm,
      count(*) FILTER (WHERE created_by = 'user')::int AS by_user,
      coalesce(sum(usage_count), 0)::float8 AS total_usage
    FROM tools AS t WHERE t.tenant_id = ${tenantId} AND ${isInScope(tenantId, scope)}
      AND t.agent_id IS NOT DISTINCT FROM coalesce(${agentId ?? null}::text, t.agent_id)`;
  const { pending_approval, by_llm, by_user, total_usage, ...counts } = row;
  return {
    ...counts,
    pendingApproval: pending_approval,
    createdByLlm: by_llm,
    createdByUser: by_user,
    totalUsage: total_usage,
  };
}
