import {
  NOTHING_KEPT,
  RUN_LIMITS_DEFAULT,
  type Ending,
  type Execution,
  type NestedExecution,
  type Retention,
  type SandboxHooks,
  type SandboxRun,
  type SandboxVerdict,
  Fault,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import type { Killed } from "./approval-code.ts";
import type { CallableTool } from "./callable-tools.ts";
import { fakeScrubbers } from "../fixtures/fake-scrubbers.ts";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { NO_USAGE } from "./judge.ts";
import { runNested, type NestedRunDeps } from "./nested-run.ts";
import { RunningAttempts } from "./running-attempts.ts";

const CALLER = heldAttempt();
const TOOL = { id: "tool_b", name: "b", version: 1, idempotent: false } as CallableTool;
const SAID = { bindMs: 0, cpuMs: 0, wallMs: 0, memoryPeakMib: 0 };

/** A call of a tool that answers `verdict`, by one that could reach the value `hunter2`. */
async function call(
  argumentsJson: string,
  verdict: object,
  more: object = {},
  caller = CALLER,
  killed?: Killed,
) {
  const seen: { row?: NestedExecution; given?: string; ending?: Ending } = {};
  const deps = {
    executions: {
      beginNested: (row: NestedExecution) => Promise.resolve(((seen.row = row), "begun")),
      finish: (_: unknown, ending: Ending) =>
        Promise.resolve(((seen.ending = ending), { ...ending, endEventId: null } as unknown as Execution)),
    },
    sandbox: {
      run: (run: SandboxRun, hooks: SandboxHooks) => {
        seen.given = run.argumentsJson;
        hooks.onStarted();
        return Promise.resolve({
          usage: SAID,
          endedBy: "guest",
          process: "used",
          ...verdict,
        } as SandboxVerdict);
      },
    },
    findDefinition: () =>
      Promise.resolve({
        code: "",
        permissions: [],
        limits: RUN_LIMITS_DEFAULT,
        allowedHosts: null,
        services: [],
        outputSchema: null,
      }),
    findCodeFault: () => null,
    stream: { append: () => Promise.resolve() },
    egress: { open: () => ({ requests: 0, close: () => undefined }) },
    openCalls: () => ({ settled: () => Promise.resolve(), asked: NO_USAGE }),
    running: new RunningAttempts(),
    scrubbers: fakeScrubbers(),
    scrubRules: { open: () => Promise.resolve({ needles: [], patterns: [] }) },
    tally: () => undefined,
    clock: () => new Date(),
    report: () => undefined,
    leaseMs: 1_000,
    ...more,
  } as unknown as NestedRunDeps;
  const run = { tool: TOOL, argumentsJson, signal: new AbortController().signal, ...(killed && { killed }) };
  return { answer: await runNested(deps, caller, sampleCover("hunter2"), run), ...seen };
}

test("the callee is given the arguments as they are, and its row holds them covered", async () => {
  const { row, given } = await call('{"key":"hunter2"}', { outcome: "returned", json: "1" });
  expect(given).toBe('{"key":"hunter2"}');
  expect(row?.argumentsJson).toBe('{"key":"[REDACTED]"}');
});

test("what a callee returns of its caller's secrets is covered for its row and its caller", async () => {
  const { answer, ending } = await call("{}", { outcome: "returned", json: '["hunter2"]' });
  expect(ending?.result).toEqual(["[REDACTED]"]);
  expect(answer).toMatchObject({ ok: true, body: '["[REDACTED]"]' });
});

test("what a callee throws is covered for its row and its caller", async () => {
  const { answer, ending } = await call("{}", { outcome: "threw", message: "Error: hunter2" });
  expect(ending?.error?.message).toBe("Error: [REDACTED]");
  expect(answer).toMatchObject({
    ok: false,
    message: 'The tool "b" ended with tool.threw: Error: [REDACTED]',
  });
});

test("a call whose tool's own code killed its process when it was asked is one that convicts the tool", async () => {
  const convicted: Ending[] = [];
  const executions = {
    beginNested: async () => "begun",
    convict: async (_key: object, ending: Ending) => {
      convicted.push(ending);
      return { ended: { ...ending, endEventId: null }, quarantined: false };
    },
  };
  const error = { code: "sandbox.crashed", message: "It died." } as const;
  const killed = { status: "failed", result: null, error, endedBy: "process" } as const;
  const { answer, given } = await call("{}", {}, { executions }, CALLER, killed);
  expect(given).toBeUndefined();
  expect(convicted).toMatchObject([{ ...killed, usage: NO_USAGE }]);
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining("sandbox.crashed: It died.") });
});

const away = () => Promise.reject(new Fault("service.unavailable"));
test.each([
  ["its definition", { findDefinition: away }],
  ["its secrets", { scrubRules: { open: away } }],
])("a call ends, and does not run, when %s can't be read", async (_what, more) => {
  const reported: string[] = [];
  const report = (what: string) => void reported.push(what);
  const { answer, ending, given } = await call("{}", {}, { ...more, report });
  expect(given).toBeUndefined();
  expect(ending).toMatchObject({ status: "lost", error: { code: "execution.lost" }, endedBy: null });
  expect(answer).toMatchObject({ ok: false, code: "tool_failed" });
  expect(reported).toEqual(["a call of a tool by a tool could not be seen through"]);
});

test.each<[string, Retention | null, Retention | null]>([
  ["nothing is kept of its caller: neither is of it", NOTHING_KEPT, NOTHING_KEPT],
  ["of its caller a part is kept: its own tool and the tenant say", { arguments: "none" }, { result: 2 }],
])("%s", async (_, retention, said) => {
  const caller = { ...heldAttempt(), retention, tenantRetention: { result: 2 } } as const;
  const { row } = await call("{}", { outcome: "returned", json: "1" }, {}, caller);
  expect(row?.retention).toEqual(said);
});
