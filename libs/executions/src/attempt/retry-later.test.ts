import { RETRY_BACKOFF_MS_MAX, type Admission, type Ending, type RetryPolicy } from "@bulkhead/core";
import { expect, test } from "vitest";
import { AttemptLog } from "./attempt-log.ts";
import { retryLater, type RequeueDeps } from "./end-attempt.ts";
import { backoffMs } from "./judge.ts";

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
  const deps: RequeueDeps = {
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

const pauses = (policy: Partial<RetryPolicy>) =>
  [1, 2, 3, 4].map((attempt) => backoffMs({ ...retry, ...policy }, attempt));

test.each<[string, Partial<RetryPolicy>, number[]]>([
  ["doubles by itself", {}, [100, 200, 400, 800]],
  ["grows by the factor", { factor: 3 }, [100, 300, 900, 2_700]],
  ["stays with a factor of one", { factor: 1 }, [100, 100, 100, 100]],
  ["ends at the longest", { maxMs: 300 }, [100, 200, 300, 300]],
  ["is as listed, the last one for all others", { delaysMs: [5, 50, 7] }, [5, 50, 7, 7]],
])("the pause %s", (_what, policy, expected) => {
  expect(pauses(policy)).toEqual(expected);
});

test("the pause has an end whatever the policy says", () => {
  expect(backoffMs({ attempts: 5, backoffMs: 1_000, factor: 10 }, 60)).toBe(RETRY_BACKOFF_MS_MAX);
});

const askedPause = async (policy: RetryPolicy, how: Ending): Promise<number> => {
  const { deps, log, asked } = world(NEXT);
  await retryLater(deps, { retry: policy, failures: 1 }, held, how, log);
  return (asked[0] as { delayMs: number }).delayMs;
};

test("the pause that an error asks for is kept, be it longer or shorter than planned", async () => {
  const exact = { ...retry, jitter: 0, maxMs: 300 };
  const asking = (retryAfterMs: number): Ending => ({
    ...ending("tool.threw"),
    error: { code: "tool.threw", message: "429", retryAfterMs },
  });
  expect(await askedPause(exact, asking(4_000))).toBe(4_000);
  expect(await askedPause(exact, asking(1))).toBe(1);
  expect(await askedPause(exact, ending("tool.threw"))).toBe(200);
});

test("a pause is longer by the tries that failed, and not by those that had a person asked or were lost", async () => {
  const { deps, log, asked } = world(NEXT);
  const fifth = { ...held, attempt: 5 };
  const exact = { ...retry, jitter: 0 };
  for (const failures of [0, 2])
    await retryLater(deps, { retry: exact, failures }, fifth, ending("tool.threw"), log);
  expect(asked.filter((when) => !Array.isArray(when))).toMatchObject([{ delayMs: 100 }, { delayMs: 400 }]);
});

test("jitter only makes a pause longer, within its part", async () => {
  const delayMs = await askedPause({ ...retry, jitter: 1 }, ending("tool.threw"));
  expect(delayMs).toBeGreaterThanOrEqual(200);
  expect(delayMs).toBeLessThanOrEqual(400);
});

test("an outcome that the tool names is tried again, after a pause", async () => {
  const { deps, log, asked } = world(NEXT);
  expect(await retryLater(deps, { retry, failures: 1 }, held, ending("tool.threw"), log)).toBe(true);
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
  expect(await retryLater(deps, { retry: policy, failures: 1 }, held, how, log)).toBe(false);
  expect(asked).toEqual([]);
});

test.each([
  [true, 2],
  [false, 0],
])("a try that is not claimed yet is put on record only once it is: %s", async (isClaimed, times) => {
  const { deps, log, asked } = world(NEXT);
  const unclaimed = { ...KEY, claim: { make: () => Promise.resolve(isClaimed) } };
  expect(await retryLater(deps, { retry, failures: 1 }, unclaimed, ending("tool.threw"), log)).toBe(
    isClaimed,
  );
  expect(asked).toHaveLength(times);
});

test("where the store refuses, the try's end is the execution's", async () => {
  const { deps, log, asked } = world(null);
  expect(await retryLater(deps, { retry, failures: 1 }, held, ending("tool.threw"), log)).toBe(false);
  expect(asked).toHaveLength(1);
});
