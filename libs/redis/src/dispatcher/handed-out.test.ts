import { attemptName, newExecutionId, newTenantId } from "@bulkhead/core";
import { expect, test } from "vitest";
import { isAttemptKey } from "./handed-out.ts";

const attempt = { tenantId: newTenantId(), executionId: newExecutionId(new Date()), attempt: 12 };

test("what an attempt waited for more workers goes with it", () => {
  const handedOut = { ...attempt, startableMs: 250 };
  expect(isAttemptKey(handedOut)).toBe(true);
  expect(isAttemptKey({ ...attempt, startableMs: -1 })).toBe(false);
  expect(isAttemptKey({ ...attempt, startableMs: "250" })).toBe(false);
});

test("what was handed out before says so", () => {
  expect(isAttemptKey({ ...attempt, again: true })).toBe(true);
  expect(isAttemptKey({ ...attempt, again: false })).toBe(false);
});

test("each attempt of an execution has a name of its own, which BullMQ takes as a job id", () => {
  expect(attemptName(attempt)).not.toBe(attemptName({ ...attempt, attempt: 1 }));
  expect(attemptName(attempt)).not.toContain(":");
});

test.each([null, 1, "x", {}, { ...attempt, attempt: "1" }, { ...attempt, tenantId: "../../etc" }])(
  "a job that says %j is no attempt",
  (data) => {
    expect(isAttemptKey(data)).toBe(false);
  },
);
