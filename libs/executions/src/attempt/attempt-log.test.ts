import type { ExecutionEvent } from "@bulkhead/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AttemptLog } from "./attempt-log.ts";

const ATTEMPT = { tenantId: "ten_a", executionId: "exe_1", attempt: 1 };
const LINE = { type: "execution.log", level: "info", text: "a line" } as const;
const END: ExecutionEvent = {
  type: "execution.succeeded",
  id: "1-9",
  executionId: "exe_1",
  attempt: 1,
  at: "",
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A log and what followers were told, as types, each append on its own. */
function told(claim: ReturnType<typeof openClaim> | null) {
  const appended: string[][] = [];
  const stream = {
    append(_tenantId: string, events: ExecutionEvent[]) {
      appended.push(events.map(({ type }) => type.slice("execution.".length)));
      return Promise.resolve(true);
    },
  };
  const deps = { stream, clock: () => new Date(), report: vi.fn() };
  return { log: new AttemptLog(deps, ATTEMPT, claim), appended };
}

test("a start waits for company, a line is told at once", async () => {
  const { log, appended } = told(null);
  log.started();
  log.say(LINE);
  log.say(LINE);
  expect(appended).toEqual([["started", "log"], ["log"]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(appended).toHaveLength(2);
});

test("a start that stays alone is told alone", async () => {
  const { log, appended } = told(null);
  log.started();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(appended).toEqual([["started"]]);
});

/** The claim of a run: `settle` tells how it ended, also where nobody asked for it here. */
function openClaim(answer: boolean) {
  const { promise: settled, resolve } = Promise.withResolvers<boolean>();
  const claim = {
    isHeld: false,
    settled,
    settle(isHeld: boolean) {
      claim.isHeld = isHeld;
      resolve(isHeld);
    },
    make: vi.fn(() => {
      claim.settle(answer);
      return settled;
    }),
  };
  return claim;
}

test("what an unclaimed run says is told once it is claimed, then at once", async () => {
  const { log, appended } = told(openClaim(true));
  log.started();
  log.say(LINE);
  expect(appended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(appended).toEqual([["started", "log"]]);
  log.say(LINE);
  expect(appended).toEqual([["started", "log"], ["log"]]);
});

test("it is told as soon as something else claims the run, before whatever follows that", async () => {
  const claim = openClaim(true);
  const { log, appended } = told(claim);
  log.started();
  log.say(LINE);
  await claim.make();
  expect(appended).toEqual([["started", "log"]]);
});

test("of a run that was over before that all is told with its end", async () => {
  const claim = openClaim(true);
  const { log, appended } = told(claim);
  log.started();
  log.say(LINE);
  const id = log.endEventId();
  claim.settle(true);
  await claim.settled;
  log.send({ ...END, id });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(appended).toEqual([["started", "log", "succeeded"]]);
  expect(claim.make).not.toHaveBeenCalled();
});

test("of a run that others have nothing is told", async () => {
  const { log, appended } = told(openClaim(false));
  log.started();
  log.say(LINE);
  await vi.advanceTimersByTimeAsync(1_000);
  log.say(LINE);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(appended).toEqual([]);
});
