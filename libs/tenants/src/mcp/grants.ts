import {
  MCP_ACCESS_BYTES_MAX,
  MCP_GRANTS_MAX,
  type FaultDetail,
  type McpGrant,
  type McpServer,
  type McpServerKey,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { tellAccess, type McpAccessDeps } from "./mcp-deps.ts";
import { noSuchServer } from "./servers.ts";

/** By scope, then id. Throws `mcp_server.not_found`. */
export async function listMcpGrants(
  deps: Pick<McpAccessDeps, "mcpServers" | "mcpAccess">,
  { tenantId }: TenantPrincipal,
  server: string,
): Promise<McpGrant[]> {
  await requireServer(deps, tenantId, server);
  return deps.mcpAccess.grantsOf(tenantId, server);
}

/**
 * Says what an agent or a user gets of a server, in the place of what was said of them before; it holds from the next request
 * on. Names that its server has not offered are told, since one that is mistyped takes nothing away. Throws
 * `mcp_server.not_found` and `mcp_grant.too_many`.
 */
export async function putMcpGrant(
  deps: McpAccessDeps,
  principal: TenantPrincipal,
  server: string,
  grant: McpGrant,
): Promise<{ put: McpGrant; warnings: FaultDetail[] }> {
  const { tenantId } = principal;
  const put = await deps.mcpAccess.putGrant(tenantId, server, grant);
  if (put === null) throw noSuchServer();
  if (put === "full") throw noRoom();
  await deps.audit.record(principal, tenantId, {
    action: "mcp_server.granted",
    id: server,
    name: server,
    details: detailsOf(put),
  });
  await tellAccess(deps, tenantId);
  return { put, warnings: await unknownNames(deps, { tenantId, name: server }, put) };
}

async function unknownNames(
  { mcpTools }: Pick<McpAccessDeps, "mcpTools">,
  server: McpServerKey,
  { toolAllow, toolDeny }: McpGrant,
): Promise<FaultDetail[]> {
  const lists = Object.entries({ toolAllow: toolAllow ?? [], toolDeny });
  if (lists.every(([, names]) => names.length === 0)) return [];
  const known = new Set((await mcpTools.ofServer(server)).map(({ tool }) => tool.mcp?.tool));
  return lists.flatMap(([list, names]) =>
    names.flatMap((name, n) =>
      known.has(name)
        ? []
        : [{ path: `${list}.${n}`, message: `"${name}" is no tool that the server has offered so far` }],
    ),
  );
}

/** From here on the server's `agentIds` decide for them. Throws `mcp_grant.not_found`. */
export async function deleteMcpGrant(
  deps: McpAccessDeps,
  principal: TenantPrincipal,
  server: string,
  { scope, id }: Pick<McpGrant, "scope" | "id">,
): Promise<void> {
  const { tenantId } = principal;
  if (!(await deps.mcpAccess.deleteGrant(tenantId, server, { scope, id })))
    throw new Fault("mcp_grant.not_found", {
      detail: `GET /api/v1/mcp-servers/${server}/grants lists those that are there.`,
    });
  await deps.audit.record(principal, tenantId, {
    action: "mcp_server.grant_deleted",
    id: server,
    name: server,
    details: { scope, grantee: id },
  });
  await tellAccess(deps, tenantId);
}

/** Throws `mcp_server.not_found`. */
export async function requireServer(
  { mcpServers }: Pick<McpAccessDeps, "mcpServers">,
  tenantId: string,
  name: string,
): Promise<McpServer> {
  const server = await mcpServers.find({ tenantId, name });
  if (!server) throw noSuchServer();
  return server;
}

export const noRoom = (): Fault =>
  new Fault("mcp_grant.too_many", {
    detail: `A server may have ${MCP_GRANTS_MAX} grants, and the lists of all grants of a tenant ${MCP_ACCESS_BYTES_MAX} bytes; delete some.`,
  });

/** Names of tools are a stranger's words: the log counts them. */
const detailsOf = ({ scope, id, toolAllow, toolDeny, enabled }: McpGrant) => ({
  scope,
  grantee: id,
  enabled,
  ...(toolAllow && { toolsAllowed: toolAllow.length }),
  ...(toolDeny.length > 0 && { toolsDenied: toolDeny.length }),
});
