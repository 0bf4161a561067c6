import type { KnownMcpTool, McpServerKey, McpTools, McpToolsCounted } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readPinned, type Json } from "../stored-json.ts";
import { TOOL_COLUMNS, toTool, VERSION_STATE, type ToolRow, type VersionRow } from "./tool-row.ts";

/** The tools of servers in PostgreSQL. What it throws is a Fault. */
export const openMcpTools = (client: PrismaClient): McpTools => ({
  ofServer: (server) => faulting(() => toolsOfServer(client, server)),
  counted: (tenantId) =>
    faulting(
      () => client.$queryRaw<McpToolsCounted[]>`/* tools.counted_of_servers */
    SELECT t.mcp->>'server' AS server, t.status, t.status_reason AS "statusReason", count(*)::int AS count
    FROM tools AS t WHERE t.tenant_id = ${tenantId} AND t.mcp IS NOT NULL GROUP BY 1, 2, 3`,
    ),
  taken: (tenantId, names) => faulting(() => takenNames(client, tenantId, names)),
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
