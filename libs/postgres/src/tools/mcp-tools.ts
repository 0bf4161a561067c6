import { NO_CAPABILITIES, type KnownMcpTool, type McpServerKey, type McpTools } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readPinned, type Json } from "../stored-json.ts";
import { lockEach, PAUSE_SCHEDULES, recordJson } from "./name-records.ts";
import { TOOL_COLUMNS, toTool, VERSION_STATE, type ToolRow, type VersionRow } from "./tool-row.ts";

/** The tools of servers in PostgreSQL. What it throws is a Fault. */
export const openMcpTools = (client: PrismaClient): McpTools => ({
  ofServer: (server) => faulting(() => toolsOfServer(client, server)),
  taken: (tenantId, names) => faulting(() => takenNames(client, tenantId, names)),
  deleteOf: (server) => faulting(() => client.$transaction((step) => deleteToolsOf(step, server))),
});

interface KnownRow extends ToolRow {
  newestVersion: number;
  newestState: VersionRow["state"];
  newestPinned: Json;
}

// In SQL, as all tools are read.
const OF_SERVER = `/* tools.of_server */
SELECT ${TOOL_COLUMNS}, n.version AS "newestVersion", n.state AS "newestState", n.pinned AS "newestPinned"
FROM tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version = t.version
CROSS JOIN LATERAL (
  SELECT v.version, v.pinned, ${VERSION_STATE} AS state FROM tool_versions AS v
  WHERE v.tool_id = t.id ORDER BY v.version DESC LIMIT 1
) AS n
WHERE t.tenant_id = $1 AND t.mcp IS NOT NULL AND t.mcp->>'server' = $2 ORDER BY t.name`;

async function toolsOfServer(
  client: PrismaClient,
  { tenantId, name }: McpServerKey,
): Promise<KnownMcpTool[]> {
  const rows = await client.$queryRawUnsafe<KnownRow[]>(OF_SERVER, tenantId, name);
  return rows.map(({ newestVersion, newestState, newestPinned, ...row }) => ({
    tool: toTool(row),
    newest: {
      version: newestVersion,
      state: newestState,
      pin: readPinned(newestPinned).pinned?.pin ?? "",
    },
  }));
}

async function takenNames(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await client.$queryRaw<{ name: string }[]>`/* tools.taken_names */
    SELECT n.name FROM unnest(${[...names]}::text[]) AS n(name)
    WHERE EXISTS (SELECT FROM tools AS t WHERE t.tenant_id = ${tenantId} AND t.agent_id IS NULL AND t.name = n.name)
      OR EXISTS (SELECT FROM tools AS t WHERE t.tenant_id = ${tenantId} AND t.agent_id IS NULL AND t.alias = n.name)`;
  return rows.map(({ name }) => name);
}

type Step = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;

/** A person's tools, which a model may not take over with their names; those that people blocked stay so. */
const UNBLOCKED = recordJson({ capabilities: NO_CAPABILITIES, blocked: false });
const BLOCKED = recordJson({ capabilities: NO_CAPABILITIES, blocked: true });

/** Deletes a server's tools with the records and schedules that each leaves, in its caller's transaction; answers their ids. */
export async function deleteToolsOf(step: Step, { tenantId, name }: McpServerKey): Promise<string[]> {
  const isOf = Prisma.sql`tenant_id = ${tenantId} AND mcp IS NOT NULL AND mcp->>'server' = ${name}`;
  await step.$executeRaw(
    lockEach(Prisma.sql`SELECT tenant_id, '' AS agent_id, n.name
      FROM tools, unnest(ARRAY[tools.name, tools.alias]) AS n(name) WHERE ${isOf} AND n.name IS NOT NULL`),
  );
  const rows = await step.$queryRaw<{ id: string }[]>`/* tools.delete_of_server */
    WITH t AS (DELETE FROM tools WHERE ${isOf} RETURNING *
    ), recorded AS (
      INSERT INTO approved_capabilities (tenant_id, agent_id, name, capabilities)
      SELECT t.tenant_id, '', n.name,
        CASE WHEN t.approval = 'blocked' THEN ${BLOCKED}::json ELSE ${UNBLOCKED}::json END
      FROM t, unnest(ARRAY[t.name, t.alias]) AS n(name) WHERE n.name IS NOT NULL
      ON CONFLICT (tenant_id, name, agent_id)
      DO UPDATE SET capabilities = excluded.capabilities, recorded_at = excluded.recorded_at
    ), paused AS (${PAUSE_SCHEDULES}
    )
    SELECT id FROM t`;
  return rows.map(({ id }) => id);
}
