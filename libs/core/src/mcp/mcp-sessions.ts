/** Sessions that a tenant may have open with the MCP endpoint at a time. */
export const MCP_SESSIONS_MAX = 1_000;
/** Those of one key, so that no client that forgets to close its sessions shuts out all the others of its tenant. */
export const MCP_KEY_SESSIONS_MAX = 500;
/** A session ends when nothing was heard of it for so many milliseconds. */
export const MCP_SESSION_IDLE_MS = 30 * 60_000;
/** Calls of one session that may go on at a time. */
export const MCP_CALLS_MAX = 64;

/** One client's session, which any API process serves. */
export interface McpSessionKey {
  tenantId: string;
  sessionId: string;
  /** The key that opened it; to any other it does not exist. */
  keyId: string;
}

/** A call of a session that has no answer yet. */
export interface McpCall {
  /** The JSON-RPC id as JSON: `1` and `"1"` are two requests. */
  requestId: string;
  executionId: string;
}

export interface TouchedMcpSession {
  /** The least level of log messages that the client asked for; null where it did not ask. */
  logLevel: string | null;
  /** False where the call is one too many. */
  admitted: boolean;
}

/** Sessions of MCP clients. They are a convenience of the protocol: losing one makes its client begin anew. */
export interface McpSessions {
  /** Opens nothing where the tenant has `MCP_SESSIONS_MAX` already, or the key `MCP_KEY_SESSIONS_MAX`. */
  open(key: McpSessionKey): Promise<"opened" | "too_many_of_tenant" | "too_many_of_key">;
  /** Keeps the session alive, and notes a call of it; null where there is no such session. */
  touch(key: McpSessionKey, call: McpCall | null): Promise<TouchedMcpSession | null>;
  setLogLevel(key: McpSessionKey, level: string): Promise<void>;
  /** The execution of a call that goes on; null where there is none. */
  findCall(key: McpSessionKey, requestId: string): Promise<string | null>;
  /** False where no such call goes on. */
  endCall(key: McpSessionKey, requestId: string): Promise<boolean>;
  /** False where there is no such session. */
  close(key: McpSessionKey): Promise<boolean>;
}
