import type { EffectRefusal } from "./effect.ts";

/** Permanent: a code is never renamed and never used for something else. */
export const OUTCOME_CODES = [
  "tool.threw",
  "tool.cpu_limit",
  "tool.wall_limit",
  "tool.memory_limit",
  "tool.network_limit",
  "tool.output_invalid",
  "tool.result_too_large",
  "tool.egress_denied",
  "tool.not_active",
  "tool.code_invalid",
  "sandbox.crashed",
  "mcp.unreachable",
  "mcp.connection_lost",
  "mcp.tool_changed",
  "mcp.protocol_error",
  "execution.cancelled",
  "execution.lost",
  "execution.deadline",
  "approval.denied",
  "approval.expired",
  "approval.too_many",
  "vault.unreadable",
  "vault.too_large",
] as const;

export type OutcomeCode = (typeof OUTCOME_CODES)[number];

export interface ExecutionError {
  code: OutcomeCode;
  message: string;
  /** For how long the tool's own error asked to be let alone. */
  retryAfterMs?: number;
  /** Why a call of a built-in tool's own was refused: the code that a tool which calls it would be given. */
  refusal?: EffectRefusal;
}
