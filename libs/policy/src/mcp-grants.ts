import {
  mcpAccessOf,
  type Asker,
  type McpAccess,
  type McpServerAccess,
  type McpToolRef,
  type McpVerdict,
} from "@bulkhead/core";

type Named = Pick<Asker, "agentId" | "userId">;

/** Whether somebody gets tools of others' MCP servers; what it knows of a server it finds out once. */
export function grantsFor(access: McpAccess, asker: Named): (tool: McpToolRef) => McpVerdict {
  const own = new Map<string, McpAccess>();
  return (tool) => {
    const known = own.get(tool.server) ?? ofServer(access, asker, tool.server);
    own.set(tool.server, known);
    return mcpAccessOf(known, asker, tool);
  };
}

/** Only what is said of the asker: a server may have a thousand grants, and a list thousands of tools. */
function ofServer(access: McpAccess, { agentId, userId }: Named, server: string): McpAccess {
  const said = Object.hasOwn(access, server) ? access[server] : undefined;
  if (said === undefined) return {};
  const ids = { agent: agentId, user: userId };
  return { [server]: { ...said, grants: said.grants.filter(({ scope, id }) => ids[scope] === id) } };
}

/** Where the word that takes a tool away stands: in the grants of its server, or in the list of its agents. */
export function placeOfGrants(access: McpAccess, { agentId, userId }: Named, server: string): string {
  const isGranted = access[server]?.grants.some(
    ({ scope, id }) => id === (scope === "agent" ? agentId : userId),
  );
  return `mcp-servers.${server}.${isGranted ? "grants" : "agentIds"}`;
}

/** Equal for two who get the same: those of whom nothing is said are all alike. */
export function grantsMark(access: McpAccess, { agentId, userId }: Named): (string | null)[] {
  const servers = Object.values(access);
  const isSaid = (says: (server: McpServerAccess) => boolean): boolean => servers.some(says);
  const agent = isSaid(
    ({ agentIds, grants }) =>
      agentIds?.some((id) => id === agentId) ||
      grants.some(({ scope, id }) => scope === "agent" && id === agentId),
  );
  const user = isSaid(({ grants }) => grants.some(({ scope, id }) => scope === "user" && id === userId));
  return [agent ? (agentId ?? null) : null, user ? (userId ?? null) : null];
}
