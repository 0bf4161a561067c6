import type { JsonObject } from "../json/json.ts";
import type { TenantPrincipal } from "../tenant/principal.ts";
import type { McpServerKey } from "./mcp-server.ts";
import type { ToolHints } from "../tool/tool-hints.ts";

/**
 * How a server's tool stands. `new`: it was offered after the server was registered, and waits for a person. `changed`: its
 * server offers another one under its name, which is not called. `blocked`: a person took it away. `gone`: its server
 * offers it no more. `off`: its server is disabled.
 */
export const MCP_TOOL_STANDINGS = ["active", "new", "changed", "blocked", "gone", "off"] as const;
export type McpToolStanding = (typeof MCP_TOOL_STANDINGS)[number];

/** A version that waits for a person, as the server offers it. */
export interface WaitingOffer {
  version: number;
  title: string | null;
  description: string;
  annotations: ToolHints | null;
  parameters: JsonObject;
  outputSchema: JsonObject | null;
}

/** A tool of a server's, for who decides about it. */
export interface McpServerTool {
  /** As its server calls it. */
  tool: string;
  name: string;
  alias: string | null;
  toolId: string;
  standing: McpToolStanding;
  /** Why it is not active, where the platform says so. */
  reason: string | null;
  version: number;
  title: string | null;
  description: string;
  annotations: ToolHints | null;
  requiresApproval: boolean;
  waiting: WaitingOffer | null;
}

/** The tools of a server: all that it has offered and still stand for something, and those that wait for a person. */
export interface McpToolCounts {
  all: number;
  waiting: number;
}

/** What people say about the tools of a server. Throws `tool.not_found` for one that it has never offered. */
export interface McpServerTools {
  /** How many tools each server of the tenant has, and how many of them wait for a person; those without tools are left out. */
  counts(tenantId: string): Promise<ReadonlyMap<string, McpToolCounts>>;
  /** By their names. */
  list(tenantId: string, server: string): Promise<McpServerTool[]>;
  /**
   * Lets the tool be called as its server offers it; of a tool whose offers have changed more than once since, only where
   * `version` names the one that waits. Throws what a decision about a version throws, and `tool.bridged` where there is
   * nothing to approve.
   */
  approve(principal: TenantPrincipal, server: string, tool: string, version?: number): Promise<McpServerTool>;
  /** Takes it away, and rejects a version that waits, until a person approves it. */
  block(principal: TenantPrincipal, server: string, tool: string): Promise<McpServerTool>;
  /** Disables the active ones with their server, or brings those back that were disabled so. */
  switchAll(server: McpServerKey, isOn: boolean): Promise<void>;
}
