import {
  MCP_SERVERS_MAX,
  MCP_STATES,
  MCP_TRANSPORTS,
  type McpServer,
  type McpServerChange,
  type McpServerKey,
  type McpServerSetup,
  type McpServerStore,
} from "@bulkhead/core";
import type { McpServer as ServerRow, Prisma, PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { deleteServerTools } from "../tools/delete-server-tools.ts";
import { changeAccess, inTenant, listOrNull } from "./in-tenant.ts";
import { readList, readListOrAll, readValues } from "./mcp-json.ts";

/** Tenants' MCP servers in PostgreSQL. What it throws is a Fault. */
export const openMcpServerStore = (client: PrismaClient): McpServerStore => ({
  create: (server) => faulting(() => createServer(client, server)),
  find: ({ tenantId, name }) =>
    faulting(async () => {
      const row = await client.mcpServer.findUnique({ where: { tenantId_name: { tenantId, name } } });
      return row && toServer(row);
    }),
  list: (tenantId) =>
    faulting(async () => {
      const rows = await client.mcpServer.findMany({ where: { tenantId }, orderBy: { name: "asc" } });
      return rows.map(toServer);
    }),
  update: (key, change) => faulting(() => updateServer(client, key, change)),
  delete: (key) => faulting(() => deleteServer(client, key)),
  setState: ({ tenantId, name, createdAt, revision }, state) =>
    faulting(async () => {
      const data = { ...state, stateAt: new Date() };
      await client.mcpServer.updateMany({ where: { tenantId, name, createdAt, revision }, data });
    }),
});

const toServer = (row: ServerRow): McpServer => ({
  ...row,
  transport: MCP_TRANSPORTS.find((known) => known === row.transport) ?? "streamable-http",
  state: MCP_STATES.find((known) => known === row.state) ?? "idle",
  args: readList(row.args),
  env: readValues(row.env),
  headers: readValues(row.headers),
  agentIds: readListOrAll(row.agentIds),
});

async function createServer(
  client: PrismaClient,
  { agentIds, ...server }: McpServerKey & McpServerSetup,
): Promise<McpServer | "taken" | "full" | null> {
  const { tenantId, name } = server;
  return inTenant(client, tenantId, async (step) => {
    if ((await step.mcpServer.count({ where: { tenantId, name } })) > 0) return "taken";
    if ((await step.mcpServer.count({ where: { tenantId } })) >= MCP_SERVERS_MAX) return "full";
    if (agentIds !== null) await changeAccess(step, tenantId);
    return toServer(await step.mcpServer.create({ data: { ...server, agentIds: listOrNull(agentIds) } }));
  });
}

async function updateServer(
  client: PrismaClient,
  { tenantId, name }: McpServerKey,
  { agentIds, ...change }: McpServerChange,
): Promise<McpServer | null> {
  return inTenant(client, tenantId, async (step) => {
    const where = { tenantId_name: { tenantId, name } };
    if ((await step.mcpServer.count({ where: { tenantId, name } })) === 0) return null;
    const data: Prisma.McpServerUpdateInput = { ...change, updatedAt: new Date() };
    if (agentIds !== undefined) {
      await changeAccess(step, tenantId);
      data.agentIds = listOrNull(agentIds);
    }
    // Another address, or a switch: what is connected is of an earlier revision, and failures were another's.
    if (Object.values(change).some((value) => value !== undefined))
      Object.assign(data, ANEW, { revision: { increment: 1 }, stateAt: new Date() });
    return toServer(await step.mcpServer.update({ where, data }));
  });
}

const ANEW = { state: "idle", stateReason: null, failures: 0 } as const;

/** Its grants and requests go by reference. */
async function deleteServer(client: PrismaClient, { tenantId, name }: McpServerKey): Promise<boolean> {
  const gone = await inTenant(client, tenantId, async (step) => {
    const { count } = await step.mcpServer.deleteMany({ where: { tenantId, name } });
    if (count === 0) return false;
    await changeAccess(step, tenantId);
    await deleteServerTools(step, tenantId, name);
    return true;
  });
  return gone ?? false;
}
