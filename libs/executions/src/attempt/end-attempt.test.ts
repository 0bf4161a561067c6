import { type ClaimWithEnd, type Ending, type Execution, type ExecutionStore, Fault } from "@bulkhead/core";
import { expect, test, vi } from "vitest";
import { AttemptLog } from "./attempt-log.ts";
import { endAttempt, type EndAttemptDeps, type EndedAttempt } from "./end-attempt.ts";

const KEY = { tenantId: "ten_a", executionId: "exe_1", attempt: 1 };
const CLAIM: ClaimWithEnd = { workerId: "wrk_a", ranMs: 20 };
const ENDING: Ending = {
  status: "succeeded",
  result: 1,
  error: null,
  usage: { cpuMs: 5, wallMs: 6, memoryPeakMib: 7, networkRequests: 8 },
  timings: { dwell: 1, run: 6 },
  endedBy: "guest",
};

/** An end whose first try is not answered. */
function triedTwice() {
  const away = new Fault("service.unavailable", { internal: "away" });
  const ended = { ...KEY, status: "succeeded", endEventId: "1-2", finishedAt: new Date(0) } as Execution;
  const finish = vi.fn<ExecutionStore["finish"]>().mockRejectedValueOnce(away).mockResolvedValue(ended);
  const deps = {
    executions: { finish },
    stream: { append: () => Promise.resolve(true) },
    clock: () => new Date(0),
    report: () => undefined,
  } as unknown as EndAttemptDeps & ConstructorParameters<typeof AttemptLog>[0];
  return { deps, finish, ended, log: new AttemptLog(deps, KEY) };
}

/** A run that is claimed with its end; `wakesAfter` so many tries from a pause longer than a lease. */
function openClaim(wakesAfter: number, tries: () => number): NonNullable<EndedAttempt["claim"]> {
  return {
    isHeld: false,
    get isStale() {
      return tries() >= wakesAfter;
    },
    endWith: (write) => write(CLAIM),
  };
}

test("an end that was not answered is written again, with its claim", async () => {
  const { deps, finish, ended, log } = triedTwice();
  const claim = openClaim(Infinity, () => finish.mock.calls.length);
  expect(await endAttempt(deps, { ...KEY, claim }, ENDING, log)).toBe(ended);
  expect(finish.mock.calls.map((call) => call[3])).toEqual([CLAIM, CLAIM]);
});

test("an end whose worker was stopped for long before its next try is not: its run began on what was true then", async () => {
  const { deps, finish, log } = triedTwice();
  const claim = openClaim(1, () => finish.mock.calls.length);
  expect(await endAttempt(deps, { ...KEY, claim }, ENDING, log)).toBeNull();
  expect(finish).toHaveBeenCalledOnce();
});

test("one that was claimed before its end is written however late: the database knows whose it is", async () => {
  const { deps, finish, ended, log } = triedTwice();
  const claim = { ...openClaim(0, () => 0), isHeld: true, isStale: true };
  claim.endWith = (write) => write(null);
  expect(await endAttempt(deps, { ...KEY, claim }, ENDING, log)).toBe(ended);
  expect(finish).toHaveBeenCalledTimes(2);
});
