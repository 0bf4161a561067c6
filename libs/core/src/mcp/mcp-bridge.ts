import type { LogLine } from "../execution/sandbox.ts";
import type { McpOffer, McpServerKey, McpServerMark } from "./mcp-server.ts";
import type { McpToolRef } from "./mcp-tool-ref.ts";

/** A call of a tool of somebody else's server. */
export interface McpToolCall extends McpToolRef {
  tenantId: string;
  executionId: string;
  /** `mcpPin` of what a person has approved: what its server offers now must be the same. */
  pin: string;
  argumentsJson: string;
  timeoutMs: number;
  /** W3C Trace Context; null: nobody records it. */
  traceparent: string | null;
}

/** What a server says while one of its tools runs. */
export interface McpCallHooks {
  /** Right before the call leaves. False: it must not. */
  onSend(): Promise<boolean>;
  /** JSON of `{progress, total?, message?}`. */
  onProgress(json: string): void;
  onLog(lines: readonly LogLine[]): void;
}

/** Why there is no answer of a server. */
export const MCP_REFUSALS = [
  /** Nobody is connected to it, and nothing was sent. */
  "unreachable",
  /** The connection was lost after the call was sent. */
  "connection_lost",
  /** It offers the tool no more, or another one under its name; nothing was sent. */
  "tool_changed",
  "timeout",
  "aborted",
  /** The call, of which nothing was sent then, or its answer was larger than a message may be. */
  "too_large",
  /** It refused the call by the protocol's own error. */
  "protocol_error",
] as const;
export type McpRefusal = (typeof MCP_REFUSALS)[number];

/** Time that a call spent on getting a connection, and on being answered; milliseconds. */
export interface McpTimes {
  connectMs: number;
  callMs: number;
}

/**
 * `resultJson` is the protocol's result of a call, as JSON: `{content, structuredContent?, isError?}`. Nothing of it has been
 * covered.
 */
export type McpAnswer = McpTimes &
  ({ ok: true; resultJson: string } | { ok: false; code: McpRefusal; message: string });

/** What a look at a server has found. */
export type McpLook =
  | {
      ok: true;
      connectMs: number;
      serverName: string;
      serverVersion: string;
      protocol: string;
      offers: McpOffer[];
    }
  | { ok: false; message: string };

/** Calls of others' servers, whichever process holds the connection. */
export interface McpBridge {
  /** Never rejects. When the signal fires the server is told that the call is cancelled. */
  call(call: McpToolCall, hooks: McpCallHooks, signal: AbortSignal): Promise<McpAnswer>;
  /**
   * Connects where nobody is connected, forgetting failures before, and lists the server's tools. What has changed is noted
   * in the registry before it resolves. Never rejects.
   */
  refresh(server: McpServerKey, signal: AbortSignal): Promise<McpLook>;
  /** Closes the connection, if there is one: the server was changed, disabled or deleted. Never rejects. */
  drop(server: McpServerKey): Promise<void>;
  /** Whether a process holds the server; where Redis can't tell, it counts as held. Never rejects. */
  isHeld(server: McpServerKey): Promise<boolean>;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** Takes what a server offers into its tenant's registry. */
export interface McpRegistry {
  /**
   * All that a server offers now, in its own order, at most `MCP_SERVER_TOOLS_MAX`. Nothing is taken of one that was deleted
   * or changed meanwhile.
   */
  offered(server: McpServerMark, offers: readonly McpOffer[]): Promise<void>;
}

/** A server's process, behind the layers of the system, with all that it starts. */
export interface McpProcess {
  /** JSON-RPC, one message a line. */
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
  /** The end of what it wrote to standard error; at most 4 KiB. */
  readonly lastWords: string;
  /** What it said by its end, 0 where all went well; null before, and where it was ended. */
  readonly exitCode: number | null;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  /** Ends it and all that it has started, at once. Safe to call again. */
  kill(): void;
}

/** By which bounds a process is kept: those of a server, or those of a browser with all its pages. */
export type LaunchSize = "server" | "browser";

/** The one port of its own loopback that a process of the size `browser` may listen on, and connect to. */
export const BROWSER_PORT = 8_118;

export interface McpCommand {
  tenantId: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Unset: a server's. */
  size?: LaunchSize;
}

/** The tenant, or the worker, has as many processes as it may have: the end of one makes room. */
export class TooManyProcessesError extends Error {
  override readonly name = "TooManyProcessesError";
}

/** Starts servers' processes. */
export interface McpLauncher {
  /**
   * Rejects, with a message for people, where this machine can't keep such a process in, and with a TooManyProcessesError where
   * there is no room for one.
   */
  launch(command: McpCommand): Promise<McpProcess>;
}

/** How a tool is refused what no process was launched for. */
export const refusalOfLaunch = (cause: unknown): "capability_limit" | "capability_denied" =>
  cause instanceof TooManyProcessesError ? "capability_limit" : "capability_denied";
