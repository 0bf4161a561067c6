import { RETRY_BACKOFF_MS_MAX, type Admission, type Ending, type RetryPolicy } from "@bulkhead/domain";
import { expect, test } from "vitest";
import { AttemptLog } from "./attempt-log.ts";
import { backoffMs, tryLater, type TryLaterDeps } from "./try-later.ts";

const KEY = { tenantId: "ten_a", executionId: "exe_1", attempt: 2 };
const held = { ...KEY, claim: null };
const retry: RetryPolicy = { attempts: 5, backoffMs: 100, on: ["tool.threw"] };
const ending = (code: "tool.threw" | "tool.wall_limit"): Ending => ({
  status: "failed",
  result: null,
  error: { code, message: "" },
  usage: { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 },
  timings: {},
  endedBy: "guest",
});

/** What was asked of the store and the queue. */
function world(next: Admission | null) {
  const asked: unknown[] = [];
  const deps: TryLaterDeps = {
    executions: {
      retryLater: (_attempt, _ending, when) => {
        asked.push(when);
        return Promise.resolve(next);
      },
    },
    queue: {
      admit: (admissions) => {
        asked.push(admissions);
        return Promise.resolve();
      },
    },
    clock: () => new Date(0),
    report: () => undefined,
  };
  const stream = { append: () => Promise.resolve(true) };
  const log = new AttemptLog({ stream, clock: deps.clock, report: deps.report }, held);
  return { deps, log, asked };
}
const NEXT: Admission = { ...KEY, attempt: 3, current: null, priority: 4, delayMs: 200, tool: null };

test("the pause doubles with each try and has an end", () => {
  expect([1, 2, 3].map((attempt) => backoffMs(100, attempt))).toEqual([100, 200, 400]);
  expect(backoffMs(1_000, 60)).toBe(RETRY_BACKOFF_MS_MAX);
});

test("an outcome that the tool names is tried again, after a pause", async () => {
  const { deps, log, asked } = world(NEXT);
  expect(await tryLater(deps, { retry }, held, ending("tool.threw"), log)).toBe(true);
  const [when, admissions] = asked as [{ delayMs: number; triesMax: number }, Admission[]];
  expect(when.triesMax).toBe(5);
  expect(when.delayMs).toBeGreaterThanOrEqual(200);
  expect(admissions).toEqual([NEXT]);
});

test.each([
  ["another outcome", retry, ending("tool.wall_limit")],
  ["a tool without a policy", null, ending("tool.threw")],
  ["a good end", retry, { ...ending("tool.threw"), error: null }],
])("%s is asked of nobody", async (_what, policy, how) => {
  const { deps, log, asked } = world(NEXT);
  expect(await tryLater(deps, { retry: policy }, held, how, log)).toBe(false);
  expect(asked).toEqual([]);
});

test.each([
  [true, 2],
  [false, 0],
])("a try that is not claimed yet is put on record only once it is: %s", async (isClaimed, times) => {
  const { deps, log, asked } = world(NEXT);
  const unclaimed = { ...KEY, claim: { make: () => Promise.resolve(isClaimed) } };
  expect(await tryLater(deps, { retry }, unclaimed, ending("tool.threw"), log)).toBe(isClaimed);
  expect(asked).toHaveLength(times);
});

test("where the store refuses, the try's end is the execution's", async () => {
  const { deps, log, asked } = world(null);
  expect(await tryLater(deps, { retry }, held, ending("tool.threw"), log)).toBe(false);
  expect(asked).toHaveLength(1);
});
