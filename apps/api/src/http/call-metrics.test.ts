import type { OutcomeCode } from "@bulkhead/domain";
import { expect, test } from "vitest";
import { callOutcome, type CallOutcome } from "./call-metrics.ts";

test.each<[OutcomeCode | null, CallOutcome]>([
  [null, "ok"],
  ["tool.threw", "tool_error"],
  ["tool.cpu_limit", "tool_error"],
  ["execution.cancelled", "tool_error"],
  // Also where it never started: its tenant's cap may have been full.
  ["execution.deadline", "tool_error"],
  ["execution.lost", "platform_error"],
  ["sandbox.crashed", "platform_error"],
  ["vault.unreadable", "platform_error"],
])("a call that ended with %s is %s", (code, outcome) => {
  const error = code === null ? null : { code, message: "" };
  expect(callOutcome({ error })).toBe(outcome);
});
