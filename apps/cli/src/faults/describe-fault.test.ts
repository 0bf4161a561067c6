import { BulkheadError } from "@bulkhead/client";
import { expect, test } from "vitest";
import { CliFault, usageFault } from "./cli-fault.ts";
import { describeEnd, describeFault } from "./describe-fault.ts";

const met = (code: string, status: number, more: { retryAfterMs?: number } = {}) =>
  describeFault(new BulkheadError({ code, status, message: "said", ...more }));

test.each([
  ["client.unreachable", 0, 4],
  ["client.timed_out", 0, 4],
  ["client.answer_invalid", 200, 4],
  ["service.unavailable", 503, 4],
  ["service.internal", 500, 4],
  ["auth.invalid_key", 401, 3],
  ["auth.forbidden", 403, 3],
  ["tool.not_found", 404, 3],
  ["approval.already_answered", 409, 3],
  ["tenant.rate_limited", 429, 3],
  ["tool.not_active", 400, 3],
  ["tool.arguments_invalid", 400, 2],
  ["request.invalid", 400, 2],
  ["request.too_large", 413, 2],
])("%s (%i) ends with %i", (code, status, exit) => {
  expect(met(code, status).parts).toMatchObject({ code, exit });
});

test("each says what to do next, by its code or by its noun", () => {
  expect(met("auth.invalid_key", 401).parts.next).toBe("Log in with a key that is valid: bulkhead login");
  expect(met("schedule.not_found", 404).parts.next).toBe("See which there are: bulkhead schedules list");
  expect(met("reads.busy", 429, { retryAfterMs: 2_100 }).parts.next).toBe("Try again in 3 s.");
});

test("what was wrong in the input is told part by part, under the problem's title", () => {
  const errors = [{ path: "arguments.n", message: "must be number" }];
  const problem = { title: "The arguments do not match.", errors, meta: { requestId: "req_1" } };
  const fault = describeFault(
    new BulkheadError({
      code: "tool.arguments_invalid",
      status: 400,
      message: "all at once",
      problem: problem as never,
    }),
  );
  expect([fault.message, fault.parts.errors, fault.parts.requestId]).toEqual([
    problem.title,
    errors,
    "req_1",
  ]);
});

test.each([
  ["failed", 1],
  ["timed_out", 1],
  ["lost", 1],
  ["cancelled", 1],
  ["denied", 3],
] as const)("an execution that is %s ends with %i", (status, exit) => {
  const error = { code: "tool.threw", message: "no" } as const;
  expect(describeEnd({ id: "exe_1", status, error }).parts).toMatchObject({
    exit,
    next: "See more: bulkhead executions show exe_1",
  });
});

test("a fault of the command line's own stays as it is, and a mistake in it tells its stack", () => {
  const own = usageFault("wrong");
  expect(describeFault(own)).toBe(own);
  const mistake = describeFault(new TypeError("x is not a function"));
  expect(mistake).toBeInstanceOf(CliFault);
  expect(mistake.parts).toMatchObject({ code: "cli.failed", exit: 4 });
  expect(mistake.parts.next).toContain("describe-fault.test.ts");
});
