import type { McpTimes, SandboxOutcome, SandboxVerdict } from "@bulkhead/core";

/** How a call of somebody's server ended, beside the ways in which a run in a sandbox ends too. */
export interface ServerOutcome {
  outcome: "unreachable" | "connection_lost" | "tool_changed" | "protocol_error";
  message: string;
}

/** How a run ended, in a sandbox or at a server; the times are those of a server's. */
export type RunVerdict = (SandboxOutcome | ServerOutcome) &
  Omit<SandboxVerdict, keyof SandboxOutcome> & { times?: McpTimes };
