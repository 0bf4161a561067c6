import type { McpSessionKey, Principal, TenantPrincipal } from "@bulkhead/core";
import type { NewCall } from "@bulkhead/executions";
import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { McpMetrics } from "../edge/mcp-metrics.ts";
import type { CallPlace } from "./event-ids.ts";
import type { View } from "./views.ts";

/** Who asks in one request, and how its answer goes. */
export interface Asker {
  /** The key as it came: its role decides what it may do. */
  asks: Principal;
  /** The same as a model's: whatever key it is, a person decides on what the tenant wants decided. */
  principal: TenantPrincipal;
  /** The same as it is by then. Throws what authentication does. */
  now: () => Promise<TenantPrincipal>;
  /** The view that the client names; undefined where it leaves the choice to us. */
  view: View | undefined;
  /** The id of the execution that a call of this request gets. */
  executionId: string;
  metrics: McpMetrics;
  origin: Pick<NewCall, "source" | "client" | "traceId" | "traceparent">;
  exchange: Exchange;
}

/** One request's answer on its way. */
export interface Exchange {
  /** Fires when the client has left, or is sent away because this process stops. */
  left: AbortSignal;
  /** A client that leaves has cancelled its call, as in revision 2026-07-28; else it comes back for the result. */
  leavingCancels: boolean;
  /** The level of log messages that its session asked for. */
  logLevel: LoggingLevel | null;
  /** How many milliseconds of it have passed. */
  elapsedMs(): number;
  /** The session that it belongs to, where there are any. */
  session: McpSessionKey | null;
  /** How far the answer of a call has come, for clients that come back for the rest. */
  place: CallPlace | null;
  /** Whether the call has come to where tools are called: then its end is told to the session there. */
  isServed: boolean;
  /** Resolves once the client has taken what it was told, or is gone. */
  room(): Promise<unknown>;
  /** Ends the answer as it is. */
  breakOff(): void;
}

/** The next message tells this event. */
export function moveTo({ place }: Exchange, executionId: string, eventId: string | null): void {
  if (place === null) return;
  place.executionId = executionId;
  place.after = eventId ?? place.after;
}

/**
 * A key as a model's that works by it: MCP is a door for models, so the approval rules hold whatever key opens it, and only the
 * tools of its own agent are there.
 */
export const asModel = (principal: TenantPrincipal): TenantPrincipal => ({ ...principal, role: "agent" });
