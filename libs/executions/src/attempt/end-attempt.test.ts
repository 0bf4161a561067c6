import {
  type ClaimWithEnd,
  type Ending,
  type Execution,
  type ExecutionStore,
  type LateBill,
  Fault,
} from "@bulkhead/core";
import { NO_SPAN } from "@bulkhead/process/telemetry";
import { expect, test, vi } from "vitest";
import { AttemptLog } from "./attempt-log.ts";
import { billLate, endAttempt, type EndAttemptDeps, type EndingAttempt } from "./end-attempt.ts";

const KEY = { tenantId: "ten_a", executionId: "exe_1", attempt: 1 };
const CLAIM: ClaimWithEnd = { workerId: "wrk_a", ranMs: 20 };
const CLAIMED: EndingAttempt = { ...KEY, claim: null, span: NO_SPAN };
const BILL: LateBill = {
  usage: { cpuMs: 5, wallMs: 6, memoryPeakMib: 7, networkRequests: 8 },
  timings: { dwell: 1, run: 6 },
  endedBy: "guest",
};
const ENDING: Ending = { status: "succeeded", result: 1, error: null, ...BILL };

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
function openClaim(wakesAfter: number, tries: () => number): NonNullable<EndingAttempt["claim"]> {
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
  expect(await endAttempt(deps, { ...KEY, span: NO_SPAN, claim }, ENDING, log, false)).toBe(ended);
  expect(finish.mock.calls.map((call) => call[3])).toEqual([CLAIM, CLAIM]);
});

test("an end whose worker was stopped for long before its next try is not: its run began on what was true then", async () => {
  const { deps, finish, log } = triedTwice();
  const claim = openClaim(1, () => finish.mock.calls.length);
  expect(await endAttempt(deps, { ...KEY, span: NO_SPAN, claim }, ENDING, log, false)).toBeNull();
  expect(finish).toHaveBeenCalledOnce();
});

test("one that was claimed before its end is written however late: the database knows whose it is", async () => {
  const { deps, finish, ended, log } = triedTwice();
  const claim = { ...openClaim(0, () => 0), isHeld: true, isStale: true };
  claim.endWith = (write) => write(null);
  expect(await endAttempt(deps, { ...KEY, span: NO_SPAN, claim }, ENDING, log, false)).toBe(ended);
  expect(finish).toHaveBeenCalledTimes(2);
});

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
  return { deps, billed, log: new AttemptLog(deps, KEY) };
}

test.each([
  ["that ended", false],
  ["that killed its process", true],
])(
  "a run %s after somebody else had ended its execution is billed to it all the same",
  async (_, convicted) => {
    const { deps, billed, log } = endedByOthers();
    expect(await endAttempt(deps, CLAIMED, ENDING, log, convicted)).toBeNull();
    expect(billed).toEqual([BILL]);
  },
);

test("where nothing ran, nothing is billed", async () => {
  const { deps, billed, log } = endedByOthers();
  await endAttempt(deps, CLAIMED, { ...ENDING, endedBy: null }, log, false);
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
    KEY,
    BILL,
  );
  expect(reported).toEqual(["billing a run that was ended from outside failed"]);
});
