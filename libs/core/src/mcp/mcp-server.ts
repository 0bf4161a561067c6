import type { ToolHints } from "../tool/tool-hints.ts";
import type { JsonObject } from "../json/json.ts";
import type { McpToolRef } from "./mcp-tool-ref.ts";

/** How a server of somebody else's is reached: over the network, in the present way or the former one, or as a process. */
export const MCP_TRANSPORTS = ["streamable-http", "sse", "stdio"] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

/** A server's name: with it begin the names of its tools, and `mcp:<name>` is their group. */
export const MCP_SERVER_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Servers of one tenant, and tools of one server; what a server offers beyond them is left out, in its own order. */
export const MCP_SERVERS_MAX = 50;
export const MCP_SERVER_TOOLS_MAX = 500;
/** UTF-16 units of a tool's name as its server says it: the protocol's own bound. */
export const MCP_TOOL_NAME_CHARS_MAX = 128;
/** UTF-16 units of what a server says of one of its tools; a longer description is cut. */
export const MCP_DESCRIPTION_CHARS_MAX = 4_096;
/** Bytes of one message of a server's. A larger one is no answer to its call; over a pipe it ends the connection, too. */
export const MCP_MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/**
 * Names, objects and lists in one message of a server's. The client parses a message in one step and copies its outermost names:
 * at the bound that takes 0.2 s at the very worst, of 16 MiB it took 9 s.
 */
export const MCP_MESSAGE_PARTS_MAX = 65_536;
/** For a call of one of its tools; milliseconds. */
export const MCP_TIMEOUT_MS_DEFAULT = 60_000;
export const MCP_TIMEOUT_MS_MAX = 300_000;

/** A value as it stands in the open, or the field of a service in the Config Center that holds it: `service.field`. */
export type McpValue = string | { config: string };

/** Where such a field is: its name holds no dot, a service's may. */
export function configPlaceOf({ config }: Extract<McpValue, object>): { service: string; field: string } {
  const at = config.lastIndexOf(".");
  return { service: config.slice(0, Math.max(0, at)), field: config.slice(at + 1) };
}

/** Why nobody is connected to a server, or that somebody is. `waiting` is the pause before the next try. */
export const MCP_STATES = ["idle", "connecting", "connected", "waiting", "failed"] as const;
export type McpState = (typeof MCP_STATES)[number];

/** A health check of a connected server; milliseconds. */
export const MCP_HEALTH_MS = 30_000;
/** A connection that nobody uses is closed after so long; milliseconds. */
export const MCP_IDLE_MS = 5 * 60_000;
/** The pause after the first failed try, and the longest one; each is twice the one before. Milliseconds. */
export const MCP_BACKOFF_MS_MIN = 2_000;
export const MCP_BACKOFF_MS_MAX = 60_000;
/** After so many failed tries in a row a server has `failed`, until a person asks again. */
export const MCP_TRIES_MAX = 10;

/** The pause after the nth failed try in a row, from 1 on; null: there is no further one. Milliseconds. */
export const mcpBackoffMs = (failures: number): number | null =>
  failures >= MCP_TRIES_MAX
    ? null
    : Math.min(MCP_BACKOFF_MS_MIN * 2 ** Math.max(0, failures - 1), MCP_BACKOFF_MS_MAX);

export interface McpServerKey {
  tenantId: string;
  name: string;
}

/** One registration of a server, as it was set up: another one under its name, or another setup of it, is none of it. */
export interface McpServerMark extends McpServerKey {
  createdAt: Date;
  revision: number;
}

/** Whether two marks of one name are of the same registration and setup. */
export const isSameMcpServer = (one: McpServerMark, other: McpServerMark): boolean =>
  one.revision === other.revision && one.createdAt.getTime() === other.createdAt.getTime();

/** Why the tools of a disabled server are disabled; those alone come back with it. */
export const MCP_SERVER_OFF = "Its server is disabled.";

/** What a tenant says of a server. */
export interface McpServerSetup {
  transport: McpTransport;
  /** Null for `stdio`. */
  url: string | null;
  /** An absolute path; null unless `stdio`. */
  command: string | null;
  args: string[];
  /** Of the process; empty unless `stdio`. */
  env: Record<string, McpValue>;
  /** Of each request; empty for `stdio`. */
  headers: Record<string, McpValue>;
  /** What the names of its tools begin with; null: `mcp__<name>__`. */
  toolPrefix: string | null;
  timeoutMs: number;
  /** The agents that get its tools; null: all of them. Grants say more (`mcpAccessOf`). */
  agentIds: string[] | null;
}

/** A server as a tenant has registered it, and how it is going. */
export interface McpServer extends McpServerMark, McpServerSetup {
  enabled: boolean;
  state: McpState;
  /** Why it is not connected, in words that hold no secret; null where there is nothing to say. */
  stateReason: string | null;
  stateAt: Date;
  /** Failed tries in a row. */
  failures: number;
  /** Rises with every change of what the tenant says: a connection of an earlier one is closed. */
  revision: number;
  updatedAt: Date;
}

/** A tool as its server offers it. All of it is a stranger's text. */
export interface McpOffer {
  name: string;
  title: string | null;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject | null;
  annotations: ToolHints | null;
}

/** The tool of a server as a version of a tenant's tool has it; `pin` is `mcpPin` of all that the server said of it then. */
export interface PinnedRef extends McpToolRef {
  pin: string;
}

/** What a person has to see of an offer, or has seen, beside its schemas, which are the version's own. */
export interface PinnedOffer extends PinnedRef, Pick<McpOffer, "title" | "description" | "annotations"> {}

export interface McpServerChange extends Partial<McpServerSetup> {
  enabled?: boolean;
}

/** Keeps tenants' servers. Every change of who may use one (`agentIds`, removal) makes another version of the tenant's access. */
export interface McpServerStore {
  /** `full`: the tenant has `MCP_SERVERS_MAX`. Null where it is gone. */
  create(server: McpServerKey & McpServerSetup): Promise<McpServer | "taken" | "full" | null>;
  find(key: McpServerKey): Promise<McpServer | null>;
  /** By name. */
  list(tenantId: string): Promise<McpServer[]>;
  /** Null where it is gone. A change of anything but `agentIds` puts its state back to `idle` without failures. */
  update(key: McpServerKey, change: McpServerChange): Promise<McpServer | null>;
  /** With its tools, grants and requests. False where it is gone. */
  delete(key: McpServerKey): Promise<boolean>;
  /** Notes how a server is going, as long as it is this one. */
  setState(
    server: McpServerMark,
    state: Pick<McpServer, "state" | "stateReason" | "failures">,
  ): Promise<void>;
}
