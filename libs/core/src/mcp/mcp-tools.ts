import type { Tool } from "../tool/tool.ts";
import type { ToolVersion } from "../tool/tool-store.ts";
import type { McpServerKey } from "./mcp-server.ts";

/** A tool that stands for a server's, and its newest version, which may be the one that serves. */
export interface KnownMcpTool {
  tool: Tool;
  newest: Pick<ToolVersion, "version" | "state"> & { pin: string };
}

/** How many tools of a server stand so; what they are told as is `McpToolStanding`. */
export interface McpToolsCounted extends Pick<Tool, "status" | "statusReason"> {
  server: string;
  count: number;
}

/** Reads the tools of servers. */
export interface McpTools {
  /** All that stand for tools of the server, by their names. */
  ofServer(server: McpServerKey): Promise<KnownMcpTool[]>;
  /** All of a tenant's, counted by server and how they stand. */
  counted(tenantId: string): Promise<McpToolsCounted[]>;
  /** Those of the names that the tenant's own tools have, not its agents', as a name or as an alias. */
  taken(tenantId: string, names: readonly string[]): Promise<string[]>;
}
