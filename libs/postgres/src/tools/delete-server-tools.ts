import { SCHEDULE_TOOL_DELETED } from "@bulkhead/core";
import type { Prisma } from "../generated/client.ts";

/**
 * Deletes the tools of a tenant's MCP server with their versions, and pauses their schedules. Their names stand for nothing
 * afterwards: what was approved under them was somebody else's. Rows go in the order of their ids, as whoever writes several
 * of them does.
 */
export async function deleteServerTools(
  step: Pick<Prisma.TransactionClient, "$executeRaw">,
  tenantId: string,
  server: string,
): Promise<void> {
  // In SQL, since the client has no words for a part of a jsonb.
  await step.$executeRaw`
    WITH held AS MATERIALIZED (
      SELECT id FROM tools WHERE tenant_id = ${tenantId} AND mcp IS NOT NULL AND mcp->>'server' = ${server}
      ORDER BY id FOR UPDATE
    ), t AS (
      DELETE FROM tools WHERE id = ANY(ARRAY(SELECT id FROM held)) RETURNING id, tenant_id, name
    )
    UPDATE schedules AS s SET status = 'paused', status_reason = ${SCHEDULE_TOOL_DELETED}, next_runs = '{}',
      waiting_since = NULL, tool_name = t.name, revision = s.revision + 1, updated_at = now()
    FROM t WHERE s.tool_id = t.id AND s.tenant_id = t.tenant_id`;
}
