/** Why an effect has no answer; the tool's error carries it as its `code`. */
export const REFUSALS = [
  "egress_denied",
  "network_limit",
  "invalid_request",
  "failed",
  "timeout",
  "aborted",
  /** `callTool`: there is no such active tool, it may not be called from here, its own run failed, or too many calls. */
  "tool_not_found",
  "tool_not_allowed",
  "tool_failed",
  "call_limit",
  /** A capability: the tool lacks the permission or may not, its bounds are reached, or what it asks about is not as it thinks. */
  "capability_denied",
  "capability_limit",
  "not_found",
  "conflict",
  /** The same: it is there and can't be reached now. */
  "unavailable",
  /** The same: it was asked, and may have done it. */
  "outcome_unknown",
] as const;
export type Refusal = (typeof REFUSALS)[number];
