import {
  RUN_LIMITS_DEFAULT,
  type ExecutionEvent,
  type RunnableTool,
  type SandboxVerdict,
  Fault,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { AttemptLog } from "./attempt-log.ts";
import { fakeScrubbers } from "../fixtures/fake-scrubbers.ts";
import { NO_USAGE } from "./judge.ts";
import { runTool, type RunToolDeps } from "./run-tool.ts";
import { RunningAttempts } from "./running-attempts.ts";

const USAGE = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, bindMs: 0 };
const crashed = (
  process: SandboxVerdict["process"],
  endedBy: SandboxVerdict["endedBy"] = "process",
): SandboxVerdict => ({
  outcome: "crashed",
  message: "It died.",
  usage: USAGE,
  endedBy,
  process,
});
const RETURNED: SandboxVerdict = {
  outcome: "returned",
  json: "1",
  usage: USAGE,
  endedBy: "guest",
  process: "own",
};
const TOOL = {
  code: "",
  permissions: [],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
  outputSchema: null,
};
const HELD = { ...heldAttempt(), toolName: "t" };

/** Runs with these verdicts, one after another; `mayTry` is what the database says to another try. */
async function runWith(
  verdicts: SandboxVerdict[],
  mayTry = true,
  more: Partial<RunToolDeps> = {},
  tool: RunnableTool = TOOL,
) {
  const alone: boolean[] = [];
  const told: ExecutionEvent[] = [];
  const deps = {
    executions: { tryAgain: () => Promise.resolve(mayTry), markEffect: () => Promise.resolve(true) },
    sandbox: {
      run: (run: { alone: boolean }) => {
        alone.push(run.alone);
        return Promise.resolve(verdicts.shift() ?? RETURNED);
      },
    },
    stream: { append: (_: string, events: ExecutionEvent[]) => Promise.resolve(told.push(...events) > 0) },
    egress: { open: () => ({ requests: 0, close: () => undefined }) },
    openCalls: () => ({ settled: () => Promise.resolve(), asked: NO_USAGE }),
    running: new RunningAttempts(),
    clock: () => new Date(),
    report: () => undefined,
    leaseMs: 1_000,
    scrubbers: fakeScrubbers(),
    scrubRules: { open: () => Promise.resolve({ needles: [], patterns: [] }) },
    tally: () => undefined,
    ...more,
  } as unknown as RunToolDeps;
  const { ran, held, convicted } = await runTool(deps, HELD, tool, new AttemptLog(deps, HELD));
  const end = "ending" in ran ? (ran.ending.error?.code ?? ran.ending.status) : ran.stopped;
  const { usage } = "ending" in ran ? ran.ending : { usage: ran.used };
  const events = told.map(({ id, type }) => `${id} ${type}`);
  return { end, attempt: held.attempt, convicted, alone, told: events, usage };
}

test("a run pays for the questions whether tools that it called may run", async () => {
  const asked = { ...NO_USAGE, cpuMs: 3, memoryPeakMib: 7 };
  const openCalls = () => ({ settled: () => Promise.resolve(), asked });
  const verdict = { ...RETURNED, usage: { ...USAGE, cpuMs: 2, wallMs: 9, memoryPeakMib: 5 } };
  const { usage } = await runWith([verdict], true, { openCalls } as unknown as Partial<RunToolDeps>);
  expect(usage).toMatchObject({ cpuMs: 5, wallMs: 9, memoryPeakMib: 7 });
});

test.each([
  [
    "in a used process, then well",
    [crashed("used")],
    true,
    { end: "succeeded", attempt: 2, convicted: false },
  ],
  [
    "in a fresh process, then well",
    [crashed("fresh")],
    true,
    { end: "succeeded", attempt: 2, convicted: false },
  ],
  ["twice", [crashed("used"), crashed("own")], true, { end: "sandbox.crashed", attempt: 2, convicted: true }],
  [
    "in a process of its own",
    [crashed("own")],
    true,
    { end: "sandbox.crashed", attempt: 1, convicted: true },
  ],
  [
    "of a kill from outside, even in a process of its own",
    [crashed("used", "system"), crashed("own", "system")],
    true,
    { end: "sandbox.crashed", attempt: 2, convicted: false },
  ],
  [
    "in a used process after an effect",
    [crashed("used")],
    false,
    { end: "sandbox.crashed", attempt: 1, convicted: false },
  ],
  [
    "in a fresh process after an effect",
    [crashed("fresh")],
    false,
    { end: "sandbox.crashed", attempt: 1, convicted: true },
  ],
])("a run that dies %s", async (_, verdicts, mayTry, expected) => {
  expect(await runWith([...verdicts], mayTry)).toMatchObject(expected);
});

test("a run of which nothing was heard counts for nothing: it is run again in the same attempt, alone", async () => {
  const unheard = { ...crashed("used"), unheard: true } as const;
  const { end, attempt, alone, told } = await runWith([unheard], false);
  expect({ end, attempt, alone, told }).toEqual({
    end: "succeeded",
    attempt: 1,
    alone: [false, true],
    told: [],
  });
  expect(await runWith([unheard, crashed("own")])).toMatchObject({ attempt: 1, convicted: true });
});

test("a stop and a renewed lease outlast a run of which nothing was heard", async () => {
  const running = new RunningAttempts();
  let unconfirmedMs = Infinity;
  const run: RunToolDeps["sandbox"]["run"] = async ({ alone }, _, { aborted }) => {
    if (alone) {
      unconfirmedMs = running.unconfirmedMs(HELD);
      return aborted ? ({ ...crashed("own"), outcome: "aborted" } as SandboxVerdict) : RETURNED;
    }
    running.confirm(HELD.executionId, HELD.attempt, performance.now() + 60_000);
    running.stop(HELD.executionId, HELD.attempt, "shutdown");
    return { ...crashed("used"), unheard: true };
  };
  expect(await runWith([], true, { running, sandbox: { run } })).toMatchObject({ end: "shutdown" });
  expect(unconfirmedMs).toBeLessThan(0);
  expect(running.size).toBe(0);
});

test("the second try is announced and runs alone", async () => {
  const { alone, told } = await runWith([crashed("used")]);
  expect(alone).toEqual([false, true]);
  expect(told).toEqual(["2-1 execution.retrying"]);
});

test.each(["wall", "cpu", "memory"] as const)(
  "a %s death is tried once and convicts nobody",
  async (outcome) => {
    const { convicted, attempt } = await runWith([{ ...crashed("fresh"), outcome } as SandboxVerdict]);
    expect({ convicted, attempt }).toEqual({ convicted: false, attempt: 1 });
  },
);

test("a tool whose secrets can't be opened never reaches a sandbox", async () => {
  const configs = { open: () => Promise.reject(new Fault("vault.unreadable")) };
  const { end, alone } = await runWith([], true, { configs }, { ...TOOL, services: ["weather"] });
  expect({ end, alone }).toEqual({ end: "vault.unreadable", alone: [] });
});

test("a way out is opened for a tool with the permission for the network, and for no other", async () => {
  const opened: string[] = [];
  const open = (): unknown => {
    opened.push("session");
    return { requests: 0, close: () => opened.push("closed") };
  };
  const more = { egress: { open } } as unknown as Partial<RunToolDeps>;
  await runWith([RETURNED], true, more);
  expect(opened).toEqual([]);
  await runWith([RETURNED], true, more, { ...TOOL, permissions: ["network"] });
  expect(opened).toEqual(["session", "closed"]);
});
