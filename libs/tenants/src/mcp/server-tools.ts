import type { McpServerTool, McpServerTools, Principal } from "@bulkhead/core";
import { requireApprover } from "../access/roles.ts";
import type { McpServerDeps } from "./mcp-deps.ts";
import { requireServer } from "./grants.ts";
import { tenantOf } from "./servers.ts";

type Deps = Pick<McpServerDeps, "mcpServers" | "tenants"> & { mcpServerTools: McpServerTools };

/** What a server has offered, and how it stands. Throws `mcp_server.not_found`. */
export async function listMcpTools(
  deps: Deps,
  principal: Principal,
  { tenantId: named, name }: { tenantId?: string | undefined; name: string },
): Promise<McpServerTool[]> {
  const tenantId = await tenantOf(deps, principal, "mcpServers.read", named);
  await requireServer(deps, tenantId, name);
  return deps.mcpServerTools.list(tenantId, name);
}

/** A person's word on one of a server's tools; `version` is the waiting one that they have seen. */
export async function decideMcpTool(
  deps: Deps,
  principal: Principal,
  { name, tool }: { name: string; tool: string },
  decision: { approve: true; version: number | undefined } | { approve: false },
): Promise<McpServerTool> {
  const approver = requireApprover(principal, "tools.approve");
  await requireServer(deps, approver.tenantId, name);
  return decision.approve
    ? deps.mcpServerTools.approve(approver, name, tool, decision.version)
    : deps.mcpServerTools.block(approver, name, tool);
}
