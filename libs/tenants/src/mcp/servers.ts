import {
  changedFields,
  MCP_SERVERS_MAX,
  type McpBridge,
  type McpLook,
  type McpServer,
  type McpServerChange,
  type McpServerSetup,
  type Principal,
  type TenantStore,
  Fault,
} from "@bulkhead/core";
import { invalidInput } from "../config/input-fault.ts";
import { requireAction, type Action } from "../access/roles.ts";
import { checkSetup } from "./check-setup.ts";
import { tellAccess, type McpServerDeps, type McpSwitchDeps } from "./mcp-deps.ts";

/** Whose server is meant: the tenant of the key, or the one that the administrator names. */
interface Named {
  tenantId?: string | undefined;
  name: string;
}

/**
 * The tenant whose servers a request is about. Throws `auth.forbidden`, `tenant.required` and `tenant.not_found`, and
 * `request.invalid` where a tenant's own key names another one.
 */
export async function tenantOf(
  { tenants }: { tenants: Pick<TenantStore, "find"> },
  principal: Principal,
  action: Action,
  named: string | undefined,
): Promise<string> {
  requireAction(principal, action);
  if (principal.role !== "admin") {
    if (named === undefined || named === principal.tenantId) return principal.tenantId;
    throw invalidInput([{ path: "tenantId", message: "is for the administrator's key alone" }]);
  }
  if (named === undefined)
    throw new Fault("tenant.required", {
      detail: "Name the tenant whose server is meant: ?tenantId=, or call it with a key of that tenant.",
    });
  const tenant = await tenants.find(named);
  if (!tenant || tenant.deletingAt) throw noSuchTenant();
  return named;
}

/** By name. */
export async function listMcpServers(
  deps: ReadDeps,
  principal: Principal,
  tenantId?: string,
): Promise<McpServer[]> {
  const servers = await deps.mcpServers.list(await tenantOf(deps, principal, "mcpServers.read", tenantId));
  return Promise.all(servers.map((server) => asHeld(deps, server)));
}

/** Throws `mcp_server.not_found`. */
export const getMcpServer = async (deps: ReadDeps, principal: Principal, named: Named): Promise<McpServer> =>
  asHeld(deps, await requireNamed(deps, principal, named, "mcpServers.read"));

type ReadDeps = Pick<McpServerDeps, "mcpServers" | "tenants"> & { bridge: Pick<McpBridge, "isHeld"> };

/** Of a server that no worker holds any more, as where one was killed, nobody is connected, whatever was noted last. */
async function asHeld({ bridge }: Pick<ReadDeps, "bridge">, server: McpServer): Promise<McpServer> {
  const isOpen = server.state !== "idle" && server.state !== "failed";
  return isOpen && !(await bridge.isHeld(server)) ? { ...server, state: "idle" } : server;
}

async function requireNamed(
  deps: Pick<McpServerDeps, "mcpServers" | "tenants">,
  principal: Principal,
  { tenantId: named, name }: Named,
  action: Action,
): Promise<McpServer> {
  const tenantId = await tenantOf(deps, principal, action, named);
  const server = await deps.mcpServers.find({ tenantId, name });
  if (!server) throw noSuchServer();
  return server;
}

/**
 * Registers a server; nobody connects to it yet. Throws `request.invalid` as `checkSetup` does, `mcp.stdio_admin_only`,
 * `mcp_server.name_taken` and `mcp_server.too_many`.
 */
export async function createMcpServer(
  deps: McpServerDeps,
  principal: Principal,
  { tenantId: named, name }: Named,
  said: McpServerSetup,
): Promise<McpServer> {
  const tenantId = await tenantOf(deps, principal, "mcpServers.write", named);
  if (said.transport === "stdio") requireAdmin(principal);
  const setup = checkSetup(deps, said);
  const created = await deps.mcpServers.create({ tenantId, name, ...setup });
  if (created === null) throw noSuchTenant();
  if (created === "taken")
    throw new Fault("mcp_server.name_taken", {
      detail: `There is a server ${name} already; PATCH changes it.`,
    });
  if (created === "full")
    throw new Fault("mcp_server.too_many", { detail: `A tenant may have ${MCP_SERVERS_MAX} MCP servers.` });
  await record(deps, principal, created, "created");
  if (created.agentIds !== null) await tellAccess(deps, tenantId);
  return created;
}

/** What says how a server is reached; the rest is what a tenant may say of a process, too. */
const REACH = ["transport", "url", "command", "args", "env", "headers"] as const;

/**
 * Changes the fields that are given. A connection with what was there before is closed. Throws what `createMcpServer` throws of
 * what is changed, `mcp_server.not_found`, and `mcp_server.has_tools` for another prefix once there are names with this one.
 */
export async function updateMcpServer(
  deps: McpServerDeps,
  principal: Principal,
  named: Named,
  change: Partial<McpServerSetup>,
): Promise<McpServer> {
  const before = await requireNamed(deps, principal, named, "mcpServers.write");
  const isMoved = REACH.some((field) => change[field] !== undefined);
  const setup = { ...before, ...change };
  if (isMoved && (before.transport === "stdio" || setup.transport === "stdio")) requireAdmin(principal);
  const { transport, url, command, args, env, headers } = isMoved ? checkSetup(deps, setup) : setup;
  const { toolPrefix, timeoutMs, agentIds } = change;
  if (toolPrefix !== undefined && toolPrefix !== before.toolPrefix) await requireNoTools(deps, before);
  const after = await changed(deps, before, {
    ...(isMoved && { transport, url, command, args, env, headers }),
    ...(toolPrefix !== undefined && { toolPrefix }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(agentIds !== undefined && { agentIds }),
  });
  await record(deps, principal, after, "updated", changedFields(change));
  if (agentIds !== undefined) await tellAccess(deps, after.tenantId);
  return after;
}

async function requireNoTools(
  { mcpTools }: Pick<McpServerDeps, "mcpTools">,
  server: McpServer,
): Promise<void> {
  const { length } = await mcpTools.ofServer(server);
  if (length === 0) return;
  throw new Fault("mcp_server.has_tools", {
    detail: `${length} tools of the server have names already, by which policies, schedules and models know them. Delete the server and register it anew to give them others.`,
    errors: [{ path: "toolPrefix", message: "can't be changed once the server has tools" }],
  });
}

/**
 * A disabled server's tools are disabled with it, and nobody connects to it. Enabling forgets its failures. Safe to repeat where
 * it went half the way.
 */
export async function switchMcpServer(
  deps: Pick<McpServerDeps, "mcpServers" | "tenants" | "bridge" | "audit"> & McpSwitchDeps,
  principal: Principal,
  named: Named,
  enabled: boolean,
): Promise<McpServer> {
  const before = await requireNamed(deps, principal, named, "mcpServers.write");
  const after = await changed(deps, before, { enabled });
  // Before its tools, which may fail: whoever repeats that finds the server switched already.
  if (before.enabled !== enabled) await record(deps, principal, after, enabled ? "enabled" : "disabled");
  await deps.mcpServerTools.switchAll(after, enabled);
  return after;
}

/** Its tools, grants and requests go with it. */
export async function deleteMcpServer(
  deps: McpServerDeps,
  principal: Principal,
  named: Named,
): Promise<void> {
  const server = await requireNamed(deps, principal, named, "mcpServers.write");
  if (!(await deps.mcpServers.delete(server))) throw noSuchServer();
  await deps.bridge.drop(server);
  await record(deps, principal, server, "deleted");
  const { tenantId } = server;
  await tellAccess(deps, tenantId);
  await deps.bus.publish({ type: "forget", kind: "tools", id: tenantId, tenantId });
}

/**
 * Connects to a server where nobody is connected, and takes what it offers now into the tenant's tools. Throws
 * `mcp_server.disabled`; that the server can't be reached is an answer.
 */
export async function lookAtMcpServer(
  deps: McpServerDeps,
  principal: Principal,
  named: Named,
  signal: AbortSignal,
): Promise<McpLook> {
  const server = await requireNamed(deps, principal, named, "mcpServers.write");
  if (!server.enabled)
    throw new Fault("mcp_server.disabled", {
      detail: `POST …/mcp-servers/${server.name}/enable enables it.`,
    });
  return deps.bridge.refresh(server, signal);
}

/** The same, for who wants the server as it is then. Throws `mcp_server.unreachable`, too. */
export async function refreshMcpServer(
  deps: McpServerDeps,
  principal: Principal,
  named: Named,
  signal: AbortSignal,
): Promise<McpServer> {
  const look = await lookAtMcpServer(deps, principal, named, signal);
  if (!look.ok) throw new Fault("mcp_server.unreachable", { detail: look.message });
  return getMcpServer(deps, principal, named);
}

async function changed(
  deps: Pick<McpServerDeps, "mcpServers" | "bridge">,
  before: McpServer,
  change: McpServerChange,
): Promise<McpServer> {
  const after = await deps.mcpServers.update(before, change);
  if (!after) throw noSuchServer();
  if (after.revision !== before.revision) await deps.bridge.drop(after);
  return after;
}

const record = (
  { audit }: Pick<McpServerDeps, "audit">,
  principal: Principal,
  { tenantId, name, transport, url, command }: McpServer,
  what: "created" | "updated" | "enabled" | "disabled" | "deleted",
  fields?: readonly string[],
): Promise<void> =>
  audit.record(principal, tenantId, {
    action: `mcp_server.${what}`,
    id: name,
    name,
    details: { transport, at: url === null ? command : new URL(url).host, ...(fields && { fields }) },
  });

function requireAdmin({ role }: Principal): void {
  if (role !== "admin")
    throw new Fault("mcp.stdio_admin_only", {
      detail:
        "A stdio server is a process on the platform's machines: ask its administrator to register or change it.",
    });
}

export const noSuchServer = (): Fault =>
  new Fault("mcp_server.not_found", { detail: "GET /api/v1/mcp-servers lists yours." });

const noSuchTenant = (): Fault => new Fault("tenant.not_found");
