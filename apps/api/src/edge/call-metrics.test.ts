import type { OutcomeCode } from "@bulkhead/core";
import { expect, test } from "vitest";
import { callOutcome, type CallOutcome } from "./call-metrics.ts";

test("a sandbox that was ended from outside is ours", () => {
  const error = { code: "sandbox.crashed", message: "" } as const;
  const usage = { cpuMs: 1, wallMs: 2, memoryPeakMib: 3, networkRequests: 0 };
  expect(callOutcome({ error, usage, endedBy: "system" })).toBe("platform_error");
});

test.each<[OutcomeCode | null, CallOutcome]>([
  [null, "ok"],
  ["tool.threw", "tool_error"],
  ["tool.cpu_limit", "tool_error"],
  ["execution.cancelled", "tool_error"],
  // Also where it never started: its tenant's cap may have been full.
  ["execution.deadline", "tool_error"],
  ["execution.lost", "platform_error"],
  // By itself: a tool can bring that about at will.
  ["sandbox.crashed", "tool_error"],
  ["vault.unreadable", "platform_error"],
])("a call that ended with %s is %s", (code, outcome) => {
  const error = code === null ? null : { code, message: "" };
  const usage = { cpuMs: 1, wallMs: 2, memoryPeakMib: 3, networkRequests: 0 };
  expect(callOutcome({ error, usage, endedBy: "process" })).toBe(outcome);
});
