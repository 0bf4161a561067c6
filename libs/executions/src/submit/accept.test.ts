import { TENANT_LIMITS_DEFAULT, type NewExecution, type TenantPrincipal, Fault } from "@bulkhead/core";
import { expect, test, vi } from "vitest";
import { Stopwatch } from "../attempt/stopwatch.ts";
import { accept, type AcceptDeps } from "./accept.ts";

const PRINCIPAL = {
  tenantId: "ten_a",
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
} as unknown as TenantPrincipal;
const EXECUTION = {
  tenantId: "ten_a",
  executionId: "exe_1",
  createdAt: new Date(0),
  deadlineAt: new Date(60_000),
  delayMs: 0,
  priority: 5,
} as unknown as NewExecution;

/** The slots that were released by a call whose insert failed with this. */
async function givenUpAfter(error: Error): Promise<string[]> {
  const givenUp: string[] = [];
  const fail = vi.fn().mockRejectedValue(error);
  const deps: AcceptDeps = {
    executions: { insert: fail, insertOnce: fail },
    queue: {
      reserve: vi.fn().mockResolvedValue({ accepted: 1, refusedFor: null, waitMs: 0, waiting: 1 }),
      admit: vi.fn(),
      release: vi.fn(async ({ executionId }) => void givenUp.push(executionId)),
    },
    clock: () => new Date(0),
    report: () => undefined,
  };
  const accepting = accept(deps, PRINCIPAL, { execution: EXECUTION, once: null }, new Stopwatch());
  await expect(accepting).rejects.toBe(error);
  return givenUp;
}

test("a call that the database refuses releases its slot", async () => {
  expect(await givenUpAfter(new Fault("request.invalid"))).toEqual(["exe_1"]);
});

test("a call whose insert was not answered leaves its slot to lapse, since it may be there and run by now", async () => {
  expect(await givenUpAfter(new Fault("service.unavailable"))).toEqual([]);
  expect(await givenUpAfter(new Error("nobody knows"))).toEqual([]);
});
