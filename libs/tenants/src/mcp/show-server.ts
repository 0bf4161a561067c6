import { McpServer as Shown, shownAs } from "@bulkhead/contracts";
import type { McpServer, McpToolCounts } from "@bulkhead/core";

/** A server as people see it, with how many tools it has where those of its tenant were counted. */
export function showMcpServer(server: McpServer, counts?: ReadonlyMap<string, McpToolCounts>) {
  const { all = 0, waiting = 0 } = counts?.get(server.name) ?? {};
  const told = counts === undefined ? {} : { toolCount: all, waitingToolCount: waiting };
  return shownAs(Shown, server, { toolCount: undefined, waitingToolCount: undefined, ...told });
}
