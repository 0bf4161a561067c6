import { expect, test } from "vitest";
import type { EndingLayer } from "./execution.ts";
import type { OutcomeCode } from "./outcome.ts";
import { endedByPlatform } from "./platform-end.ts";

const end = (code: OutcomeCode | null, endedBy: EndingLayer | null, wallMs: number): boolean =>
  endedByPlatform({
    error: code === null ? null : { code, message: "" },
    endedBy,
    usage: { cpuMs: 0, wallMs, memoryPeakMib: 0, networkRequests: 0 },
  });

test.each<[boolean, OutcomeCode | null, EndingLayer | null, number]>([
  [false, null, "guest", 5],
  [false, "tool.threw", "guest", 5],
  [false, "tool.memory_limit", "system", 5],
  [false, "execution.deadline", null, 0],
  [true, "execution.lost", null, 0],
  [true, "vault.unreadable", null, 0],
  // Its process died under it, or broke a rule of the wire: a tool can do that whenever it likes.
  [false, "sandbox.crashed", "process", 5],
  [false, "sandbox.crashed", "worker", 5],
  // An operator or the kernel ended it; no process could be started; nobody saw how it ended.
  [true, "sandbox.crashed", "system", 5],
  [true, "sandbox.crashed", "worker", 0],
  [true, "sandbox.crashed", null, 5],
])("%s: the platform's is an end with %s by %s after %d ms", (ours, code, endedBy, wallMs) => {
  expect(end(code, endedBy, wallMs)).toBe(ours);
});
