import { APPROVAL_SETTINGS_DEFAULT, RUN_LIMITS_MAX, type ClaimedExecution } from "@bulkhead/core";
import type { Tracing } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { ToldSpan } from "../fixtures/told-span.ts";
import type { ReportedExecution } from "../end/report.ts";
import { runAttempt, type RunDeps } from "./run-attempt.ts";
import { RunningAttempts } from "./running-attempts.ts";

const KEY = { tenantId: "ten_a", executionId: "exe_1", attempt: 2 };
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const CLAIMED: ClaimedExecution = {
  ...KEY,
  toolId: "tool_a",
  toolName: "t",
  toolVersion: 3,
  toolStatus: null,
  inlineTool: null,
  argumentsJson: '{"said":"by a tenant"}',
  context: {},
  scopeAgentId: null,
  policyVersion: 0,
  madeBy: null,
  createdAt: new Date(0),
  deadlineAt: new Date(Date.now() + 60_000),
  traceId: "0af7651916cd43dd8448eb211c80319c",
  traceparent: TRACEPARENT,
  source: "rest",
  requestedBy: "key_1",
  byAgent: false,
  retry: null,
  idempotent: false,
  ceilings: RUN_LIMITS_MAX,
  approvals: APPROVAL_SETTINGS_DEFAULT,
  retention: null,
  tenantRetention: null,
  applyDefaults: false,
  suspect: false,
  failures: 0,
  waitedMs: 9_000,
  queuedMs: 5_000,
};

/** Sees an attempt through whose tool is gone, whose end another wrote, and whose slot can't be freed. */
async function attempt(
  claimed: ClaimedExecution | null,
  readySince: number | null,
  finish: () => Promise<null> = () => Promise.resolve(null),
) {
  const begun: { span: ToldSpan; parent: string | null }[] = [];
  const tracing: Tracing = {
    begin(name, parent, options) {
      const span = new ToldSpan(name, options);
      begun.push({ span, parent });
      return span;
    },
  };
  const reported: [string, ReportedExecution | undefined][] = [];
  const deps = {
    tracing,
    executions: {
      claim: () => Promise.resolve(claimed),
      find: () => Promise.resolve({ status: "running" }),
      finish,
    },
    queue: { release: () => Promise.reject(new Error("away")) },
    stream: { append: () => Promise.resolve() },
    clock: () => new Date(),
    running: new RunningAttempts(),
    report: (what: string, _error: unknown, about?: ReportedExecution) => void reported.push([what, about]),
    workerId: "w",
    leaseMs: 60_000,
  } as unknown as RunDeps;
  await runAttempt(deps, KEY, readySince).catch(() => undefined);
  return { begun, reported };
}

test("an attempt is a step of the trace that its row names, beside its wait, and ends with a code", async () => {
  const { begun } = await attempt(CLAIMED, Date.now() - 1_000);
  expect(begun.map(({ span, parent }) => [span.name, parent])).toEqual([
    ["wait in queue", TRACEPARENT],
    ["process executions", TRACEPARENT],
  ]);
  const [wait, run] = begun.map(({ span }) => span);
  expect(run?.failure).toBe("tool.not_active");
  expect(run?.attributes).toMatchObject({
    "bulkhead.attempt": 2,
    "bulkhead.tool.version": 3,
    "bulkhead.outcome": "superseded",
    "messaging.message.id": "exe_1-2",
  });
  expect(run?.children.map(({ name, failure }) => [name, failure])).toEqual([
    ["claim", null],
    ["persist end", null],
  ]);
  // The wait is this attempt's own, up to the claim.
  expect(wait?.endedAt).toBe(run?.from);
  expect((wait?.endedAt ?? 0) - (wait?.from ?? 0)).toBeLessThanOrEqual(5_000);
  expect((wait?.endedAt ?? 0) - (wait?.from ?? 0)).toBeGreaterThan(0);
  expect(JSON.stringify(begun)).not.toContain("by a tenant");
});

test("an attempt that could not be seen through is marked as ours, one whose tool failed is not", async () => {
  const marks = async (finish?: () => Promise<null>) =>
    (await attempt(CLAIMED, null, finish)).begun[1]?.span.attributes["bulkhead.platform_error"];
  expect(await marks(() => Promise.reject(new Error("no database")))).toBe(true);
  expect(await marks()).toBeUndefined();
});

test.each([
  ["before the wait began", Date.now() - 3_600_000, "from"],
  ["in the future", Date.now() + 3_600_000, "endedAt"],
] as const)(
  "a turn that came %s by another machine's clock is told within the wait",
  async (_when, ready, edge) => {
    const { begun } = await attempt(CLAIMED, ready);
    const wait = begun[0]?.span;
    expect(wait?.events.map(({ name }) => name)).toEqual(["dispatched"]);
    expect(wait?.events[0]?.at).toBeCloseTo(wait?.[edge] ?? 0, 6);
  },
);

test("nobody knows when a turn came that was not told", async () => {
  expect((await attempt(CLAIMED, null)).begun[0]?.span.events).toEqual([]);
});

test("what goes wrong with an attempt is reported with its trace", async () => {
  const { reported } = await attempt(CLAIMED, null);
  const { traceId } = CLAIMED;
  expect(reported).toEqual([["freeing a slot failed", { traceId, executionId: "exe_1", attempt: 2 }]]);
});

test("an attempt that someone else holds leaves no trace", async () => {
  expect(await attempt(null, Date.now())).toEqual({ begun: [], reported: [] });
});

/** Takes a first try that others end or leave alone meanwhile; answers what the store and the queue were asked for. */
async function firstTry(given: { seen?: ClaimedExecution; status?: string; again?: true; leaseMs?: number }) {
  const asked: string[] = [];
  const ask = (name: string, answer: unknown) => () => {
    asked.push(name);
    return Promise.resolve(answer);
  };
  const find = given.status === undefined ? () => Promise.reject(new Error("away")) : undefined;
  const deps = {
    tracing: { begin: (name: string) => new ToldSpan(name) },
    executions: {
      look: ask("look", given.seen ?? null),
      claim: ask("claim", null),
      find: find ?? (() => Promise.resolve({ status: given.status })),
      finish: ask("finish", null),
    },
    queue: { release: ask("release", undefined) },
    stream: { append: ask("append", undefined) },
    clock: () => new Date(),
    running: new RunningAttempts(),
    report: () => undefined,
    workerId: "w",
    leaseMs: given.leaseMs ?? 60_000,
  } as unknown as RunDeps;
  const again = given.again && { again: given.again };
  await runAttempt(deps, { ...KEY, attempt: 1, ...again }, null);
  return asked;
}
const FIRST: ClaimedExecution = { ...CLAIMED, attempt: 1 };

test("a tool's first try is looked at, and claimed with its end", async () => {
  expect(await firstTry({ seen: FIRST, status: "running" })).toEqual(["look", "finish"]);
});

test("what was handed out before is claimed before it runs", async () => {
  expect(await firstTry({ seen: FIRST, status: "running", again: true })).toEqual(["claim"]);
});

test("what was looked at for as long as a lease, as by a worker that was paused, is claimed before it runs", async () => {
  expect(await firstTry({ seen: FIRST, status: "running", leaseMs: 0 })).toEqual(["look", "claim"]);
});

test("a dry run is claimed before it runs", async () => {
  expect(await firstTry({ seen: { ...FIRST, toolId: null }, status: "running" })).toEqual(["look", "claim"]);
});

test.each([
  ["cancelled", ["look", "finish", "release"]],
  ["running", ["look", "finish"]],
  ["queued", ["look", "finish"]],
  [undefined, ["look", "finish"]],
])("the slot of a run that was not claimed is freed where nobody needs it: %s", async (status, asked) => {
  expect(await firstTry({ seen: FIRST, ...(status && { status }) })).toEqual(asked);
});

test("what is not to be run is not run, and its slot is freed where nobody runs it", async () => {
  expect(await firstTry({ status: "running" })).toEqual(["look"]);
  expect(await firstTry({ status: "cancelled" })).toEqual(["look", "release"]);
});
