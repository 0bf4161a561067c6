import { expect, test } from "vitest";
import { EXECUTION_STATUSES, isTerminal, NEXT, statusesBefore, TERMINAL_STATUSES } from "./execution.ts";

test("[L1] nothing follows a terminal status", () => {
  expect(TERMINAL_STATUSES).toEqual(["succeeded", "failed", "timed_out", "cancelled", "denied", "lost"]);
  for (const status of TERMINAL_STATUSES) expect(NEXT[status]).toEqual([]);
});

test("every status that is not terminal can be cancelled", () => {
  expect(statusesBefore("cancelled")).toEqual(EXECUTION_STATUSES.filter((status) => !isTerminal(status)));
});

test("only a running execution can succeed", () => {
  expect(statusesBefore("succeeded")).toEqual(["running"]);
});
