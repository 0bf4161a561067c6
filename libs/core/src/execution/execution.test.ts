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

test("only what is queued begins to run, and only what was confirmed or handed back is queued", () => {
  expect(statusesBefore("running")).toEqual(["queued"]);
  expect(statusesBefore("queued")).toEqual(["awaiting_approval", "running"]);
});

test("only what waits for a person is denied, and it is never lost, timed out or failed", () => {
  expect(statusesBefore("denied")).toEqual(["awaiting_approval"]);
  for (const end of ["lost", "timed_out", "failed"] as const)
    expect(statusesBefore(end)).toEqual(["queued", "running"]);
});
