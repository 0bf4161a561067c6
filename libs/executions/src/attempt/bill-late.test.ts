import { type Ending, type LateBill, Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { AttemptLog } from "./attempt-log.ts";
import { billLate } from "./bill-late.ts";
import { endAttempt, endConvicted, type EndAttemptDeps } from "./end-attempt.ts";

const ATTEMPT = { tenantId: "ten_a", executionId: "exe_1", attempt: 1, claim: null };
const BILL: LateBill = {
  usage: { cpuMs: 5, wallMs: 6, memoryPeakMib: 7, networkRequests: 8 },
  timings: { dwell: 1, run: 6 },
  endedBy: "worker",
};
const ENDING: Ending = { status: "succeeded", result: 1, error: null, ...BILL };

/** A store in which somebody else has ended the execution, and what is billed in it. */
function endedByOthers() {
  const billed: LateBill[] = [];
  const deps = {
    executions: {
      finish: () => Promise.resolve(null),
      convict: () => Promise.resolve(null),
      billOutside: (_: unknown, bill: LateBill) => Promise.resolve(billed.push(bill) > 0),
    },
    stream: { append: () => Promise.resolve() },
    clock: () => new Date(0),
    report: () => undefined,
  } as unknown as EndAttemptDeps & ConstructorParameters<typeof AttemptLog>[0];
  return { deps, billed, log: new AttemptLog(deps, ATTEMPT) };
}

test.each([
  ["that ended", endAttempt],
  ["that killed its process", endConvicted],
])("a run %s after somebody else had ended its execution is billed to it all the same", async (_, end) => {
  const { deps, billed, log } = endedByOthers();
  expect(await end(deps, ATTEMPT, ENDING, log)).toBeNull();
  expect(billed).toEqual([BILL]);
});

test("where nothing ran, nothing is billed", async () => {
  const { deps, billed, log } = endedByOthers();
  await endAttempt(deps, ATTEMPT, { ...ENDING, endedBy: null }, log);
  expect(billed).toEqual([]);
});

test("a bill that can't be written is reported and stops nothing", async () => {
  const reported: string[] = [];
  const fault = new Fault("service.unavailable", { internal: "away" });
  await billLate(
    {
      executions: { billOutside: () => Promise.reject(fault) },
      report: (what) => void reported.push(what),
    },
    ATTEMPT,
    BILL,
  );
  expect(reported).toEqual(["billing a run that was ended from outside failed"]);
});
