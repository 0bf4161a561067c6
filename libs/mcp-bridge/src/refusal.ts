import type { McpAnswer, McpRefusal } from "@bulkhead/core";

export type Refused = Extract<McpAnswer, { ok: false }>;

/** That there is no answer, and why, in words that are covered; the times are known to who took them. */
export const refusal = (code: McpRefusal, message: string): Refused => ({
  ok: false,
  code,
  message,
  connectMs: 0,
  callMs: 0,
});
