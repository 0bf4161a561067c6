import {
  MCP_REQUESTS_FOR_ONE_MAX,
  MCP_REQUESTS_MAX,
  newMcpRequestId,
  onlyAgentOf,
  type McpAccessRequest,
  type McpAccessStore,
  type McpGrant,
  type TenantNews,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { invalidInput } from "../config/input-fault.ts";
import { noRoom } from "./grants.ts";
import { tellAccess, type McpAccessDeps } from "./mcp-deps.ts";
import { noSuchServer } from "./servers.ts";

export interface AccessWish extends Pick<McpGrant, "scope" | "toolAllow"> {
  server: string;
  /** Of an agent's key undefined means its own agent. */
  id: string | undefined;
  /** Covered. */
  reason: string | null;
}

/**
 * Asks for a server's tools, for an agent or a user. Whoever asks again for what waits is answered with what waits. Throws
 * `request.invalid` where an agent's key asks for another one, `mcp_server.not_found` and `mcp_access.too_many`.
 */
export async function requestMcpAccess(
  deps: McpAccessDeps,
  principal: TenantPrincipal,
  wish: AccessWish,
): Promise<McpAccessRequest> {
  const { tenantId, keyId } = principal;
  const { server, scope, toolAllow, reason } = wish;
  const asked = {
    requestId: newMcpRequestId(),
    tenantId,
    server,
    scope,
    id: granteeOf(principal, wish),
    toolAllow,
    reason,
    requestedBy: keyId,
    createdAt: deps.clock(),
  };
  const request = await deps.mcpAccess.request(asked);
  if (request === null) throw noSuchServer();
  if (request === "full")
    throw new Fault("mcp_access.too_many", {
      detail: `At most ${MCP_REQUESTS_FOR_ONE_MAX} requests for one agent or user wait for a person, ${MCP_REQUESTS_MAX} of a tenant; try again once some are answered.`,
    });
  if (request.requestId !== asked.requestId) return request;
  await deps.audit.record(principal, tenantId, deedOf("requested", request));
  await deps.tenantEvents.publish(tenantId, {
    type: "mcp.access_requested",
    data: { ...told(request), by: keyId },
    agentId: agentOf(request),
  });
  return request;
}

function granteeOf(principal: TenantPrincipal, { scope, id }: AccessWish): string {
  const only = onlyAgentOf(principal);
  if (principal.role !== "agent") {
    if (id === undefined)
      throw invalidInput([{ path: "id", message: "is needed: whose the tools would be" }]);
    return id;
  }
  if (scope !== "agent")
    throw invalidInput([{ path: "scope", message: "must be agent: an agent's key asks for its agent" }]);
  if (only === null)
    throw invalidInput([{ path: "id", message: "is nobody's: the key names no agent to ask for" }]);
  if (id !== undefined && id !== only)
    throw invalidInput([{ path: "id", message: "must be the key's own agent, or left out" }]);
  return only;
}

/** Newest first; an agent's key sees those that it has made. */
export const listMcpRequests = (
  { mcpAccess }: Pick<McpAccessDeps, "mcpAccess">,
  { tenantId, role, keyId }: TenantPrincipal,
  query: Omit<Parameters<McpAccessStore["requests"]>[1], "requestedBy">,
): Promise<McpAccessRequest[]> =>
  mcpAccess.requests(tenantId, { ...query, ...(role === "agent" && { requestedBy: keyId }) });

/** What may be asked for; to whom a server's tools are closed it is a name alone. */
export async function listMcpServerNames(
  { mcpServers }: Pick<McpAccessDeps, "mcpServers">,
  { tenantId }: TenantPrincipal,
): Promise<string[]> {
  return (await mcpServers.list(tenantId)).map(({ name }) => name);
}

/**
 * Answers a request; approved, what was asked for is granted in the same moment. Throws `mcp_access.not_found`,
 * `mcp_access.already_answered`, and `mcp_grant.too_many`, with which it still waits.
 */
export async function answerMcpRequest(
  deps: McpAccessDeps,
  principal: TenantPrincipal,
  requestId: string,
  { status, reason }: { status: "approved" | "rejected"; reason: string | null },
): Promise<McpAccessRequest> {
  const { tenantId, keyId } = principal;
  const by = { status, keyId, reason, at: deps.clock() };
  const answered = await deps.mcpAccess.answer(tenantId, requestId, by);
  if (answered === null)
    throw new Fault("mcp_access.not_found", { detail: "GET /api/v1/mcp-access-requests lists them." });
  if (answered === "answered") throw new Fault("mcp_access.already_answered");
  if (answered === "full") throw noRoom();
  await deps.audit.record(principal, tenantId, deedOf(status, answered));
  if (status === "approved") await tellAccess(deps, tenantId);
  await deps.tenantEvents.publish(tenantId, {
    type: "mcp.access_answered",
    data: { ...told(answered), answer: status, by: keyId, reason: reason ?? undefined },
    agentId: agentOf(answered),
  });
  return answered;
}

const deedOf = (
  what: "requested" | "approved" | "rejected",
  { requestId, server, scope, id, toolAllow }: McpAccessRequest,
) => ({
  action: `mcp_access.${what}` as const,
  id: requestId,
  details: { server, scope, grantee: id, ...(toolAllow && { tools: toolAllow.length }) },
});

const told = ({ requestId, server, scope, id }: McpAccessRequest) => ({
  requestId,
  server,
  scope,
  grantee: id,
});

/** What is asked for a user concerns no agent. */
const agentOf = ({ scope, id }: McpAccessRequest): TenantNews["agentId"] => (scope === "agent" ? id : null);
