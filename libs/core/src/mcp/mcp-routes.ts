import type { McpServerKey } from "./mcp-server.ts";

/** For how long a worker holds a server without renewing; milliseconds. */
export const MCP_LEASE_MS = 10_000;

/**
 * Which worker is connected to which server, and messages between processes. One worker at a time holds a server; who
 * doesn't hear from Redis for `MCP_LEASE_MS` holds none. All of it rejects with `service.unavailable` where Redis is away.
 */
export interface McpRoutes {
  /** This process, as others send to it. */
  readonly self: string;
  /** Takes the server if nobody holds it; answers who does. */
  take(server: McpServerKey): Promise<string>;
  /** Null: nobody. */
  holderOf(server: McpServerKey): Promise<string | null>;
  /** Renews what this process holds; answers those that it holds no more. */
  renew(servers: readonly McpServerKey[]): Promise<McpServerKey[]>;
  /** Gives it back, if it is this process's. */
  release(server: McpServerKey): Promise<void>;
  /**
   * Sends text of at most `MCP_MESSAGE_BYTES_MAX` to a process; whether it is there, only its answer tells. Rejects with
   * `service.unavailable` too where the process has too much unread.
   */
  send(to: string, message: string): Promise<"sent" | "too_large">;
  /**
   * Hears what is sent to this process, in order, until the answered function is called. What was sent shortly before waits
   * for it. One listener at a time.
   */
  listen(onMessage: (message: string) => void): Promise<() => void>;
}
