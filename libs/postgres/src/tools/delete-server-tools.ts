import { NO_CAPABILITIES } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";
import { lockEach, PAUSE_SCHEDULES, recordJson } from "./name-records.ts";

// People's tools leave records of which a model may not take more than a name, and what people blocked stays blocked.
const UNBLOCKED = recordJson({ capabilities: NO_CAPABILITIES, blocked: false });
const BLOCKED = recordJson({ capabilities: NO_CAPABILITIES, blocked: true });

/**
 * Deletes the tools of a tenant's MCP server with their versions, puts down the records that stay under their names, and
 * pauses their schedules, all in its caller's transaction. Rows go in the order of their ids, as whoever writes several of
 * them does.
 */
export async function deleteServerTools(
  step: Pick<Prisma.TransactionClient, "$executeRaw">,
  tenantId: string,
  server: string,
): Promise<void> {
  // In SQL, since the client has no words for a part of a jsonb.
  const isOf = Prisma.sql`tenant_id = ${tenantId} AND mcp IS NOT NULL AND mcp->>'server' = ${server}`;
  await step.$executeRaw(
    lockEach(Prisma.sql`SELECT tenant_id, '' AS agent_id, n.name
      FROM tools, unnest(ARRAY[tools.name, tools.alias]) AS n(name) WHERE ${isOf} AND n.name IS NOT NULL`),
  );
  await step.$executeRaw`/* tools.delete_of_server */
    WITH held AS MATERIALIZED (SELECT id FROM tools WHERE ${isOf} ORDER BY id FOR UPDATE
    ), t AS (DELETE FROM tools WHERE id = ANY(ARRAY(SELECT id FROM held)) RETURNING *
    ), recorded AS (
      INSERT INTO approved_capabilities (tenant_id, agent_id, name, capabilities)
      SELECT t.tenant_id, '', n.name,
        CASE WHEN t.approval = 'blocked' THEN ${BLOCKED}::json ELSE ${UNBLOCKED}::json END
      FROM t, unnest(ARRAY[t.name, t.alias]) AS n(name) WHERE n.name IS NOT NULL
      ON CONFLICT (tenant_id, name, agent_id)
      DO UPDATE SET capabilities = excluded.capabilities, recorded_at = excluded.recorded_at
    )
    ${PAUSE_SCHEDULES}`;
}
