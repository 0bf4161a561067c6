import { MCP_HEALTH_MS, MCP_IDLE_MS, MCP_LEASE_MS, mcpBackoffMs } from "@bulkhead/core";
import { CONNECT_MS_MAX, RELIST_MS_MIN } from "./bounds.ts";

/** How long things take; tests make them short. Milliseconds. */
export interface Timing {
  healthMs: number;
  idleMs: number;
  leaseMs: number;
  connectMs: number;
  relistMs: number;
  /** As `mcpBackoffMs`. */
  backoffMs(failures: number): number | null;
}

export const TIMING: Timing = {
  healthMs: MCP_HEALTH_MS,
  idleMs: MCP_IDLE_MS,
  leaseMs: MCP_LEASE_MS,
  connectMs: CONNECT_MS_MAX,
  relistMs: RELIST_MS_MIN,
  backoffMs: mcpBackoffMs,
};
