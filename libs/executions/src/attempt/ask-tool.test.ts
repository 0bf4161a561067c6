import {
  APPROVALS_WAITING_MAX,
  RUN_LIMITS_DEFAULT,
  type ClaimedExecution,
  type ExecutionEvent,
  type RunnableTool,
  type SandboxOutcome,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { sampleSecrets } from "../fixtures/sample-secrets.ts";
import { ToldSpan } from "../fixtures/told-span.ts";
import { askTool, handToPerson, withSpent, type AskToolDeps, type HandToPersonDeps } from "./ask-tool.ts";
import { AttemptLog } from "./attempt-log.ts";
import type { LateClaim } from "./late-claim.ts";
import { neverRun } from "./run-tool.ts";
import { RunningAttempts } from "./running-attempts.ts";
import type { HeldAttempt } from "./tool-calls.ts";
import { failed, NO_USAGE } from "./judge.ts";

const USAGE = { cpuMs: 10, wallMs: 20, memoryPeakMib: 30, networkRequests: 0 };
const TOOL = { code: "", approvalCode: "return true;", limits: RUN_LIMITS_DEFAULT } as RunnableTool;

/** Asks the code of a held attempt, which ends in this way; `meanwhile` is done while it runs. */
async function ask(
  outcome: SandboxOutcome,
  meanwhile: (running: RunningAttempts) => void = () => undefined,
  span = new ToldSpan("attempt"),
  claim: HeldAttempt["claim"] = null,
) {
  const running = new RunningAttempts();
  const { networkRequests: _none, ...usage } = USAGE;
  const deps = {
    running,
    clock: () => new Date(),
    report: () => undefined,
    stream: { append: async () => true },
    tally: () => undefined,
    scrubRules: { open: async () => ({ needles: [], patterns: [] }) },
    scrubbers: { open: () => sampleSecrets().scrubber },
    findCodeFault: () => null,
    sandbox: {
      run: async ({ alone }: { alone: boolean }) => {
        meanwhile(running);
        const process = alone ? "own" : "used";
        return { ...outcome, usage: { ...usage, bindMs: 5 }, endedBy: "guest", process };
      },
    },
  } as unknown as AskToolDeps;
  const held = { ...heldAttempt(), span, claim };
  return askTool(deps, held, TOOL, new AttemptLog(deps, held));
}

test("what the question used is told, whatever the answer is", async () => {
  expect(await ask({ outcome: "returned", json: "false" })).toEqual({ used: USAGE, bindMs: 5 });
  expect(await ask({ outcome: "returned", json: "true" })).toMatchObject({
    asking: { because: "answered" },
    used: USAGE,
    bindMs: 5,
  });
});

test("a question that is stopped ends as its run would", async () => {
  const aborted = { outcome: "aborted", message: "" } as const;
  const shutdown = await ask(aborted, (running) => running.stopAll("shutdown"));
  expect(shutdown).toMatchObject({ ran: { stopped: "shutdown", used: USAGE } });
  const late = await ask(aborted, (running) => running.stopAll("deadline"));
  expect(late).toMatchObject({ ran: { ending: { error: { code: "execution.deadline" } } } });
  const none = await ask({ outcome: "unavailable", message: "no process" });
  expect(none).toMatchObject({ ran: { stopped: "no_sandbox" } });
});

test("a question that kills its process is a run that does: its tool is convicted by who holds the attempt", async () => {
  const died = { outcome: "crashed", message: "It died." } as const;
  const claimed = (made: boolean) =>
    ({ make: async () => made, settled: Promise.resolve(made), isHeld: made }) as unknown as LateClaim;
  const nothing = () => undefined;
  for (const claim of [null, claimed(true)])
    expect(await ask(died, nothing, new ToldSpan("attempt"), claim)).toMatchObject({
      ran: { ending: { error: { code: "sandbox.crashed" }, usage: USAGE }, crashed: "own", bindMs: 5 },
      convicted: true,
    });
  const others = await ask(died, nothing, new ToldSpan("attempt"), claimed(false));
  expect(others).toMatchObject({ ran: { stopped: "superseded" }, convicted: false });
});

test("its step of the trace fails where there was no answer, not where a person is asked", async () => {
  const told = async (outcome: SandboxOutcome) => {
    const span = new ToldSpan("attempt");
    await ask(outcome, (running) => running.stopAll("shutdown"), span);
    return span.children.map(({ name, failure, attributes }) => [
      name,
      failure,
      attributes["bulkhead.outcome"],
    ]);
  };
  expect(await told({ outcome: "returned", json: "true" })).toEqual([["ask tool", null, "asked"]]);
  expect(await told({ outcome: "returned", json: "false" })).toEqual([["ask tool", null, undefined]]);
  expect(await told({ outcome: "aborted", message: "" })).toEqual([["ask tool", "shutdown", undefined]]);
});

test("a run is billed for the question before it", () => {
  const held = heldAttempt();
  const run = neverRun(failed("failed", "tool.threw", "no"), held, {} as AttemptLog);
  const { ran } = withSpent(run, { used: USAGE, bindMs: 5 });
  expect(ran).toMatchObject({ bindMs: 5, ending: { usage: USAGE } });
});

/** Hands an attempt to a person where so many calls wait. */
async function hand(waiting: number, expiresAt: string | null) {
  const said: ExecutionEvent[] = [];
  const published: object[] = [];
  const asked: unknown[][] = [];
  const order: string[] = [];
  const billed: object[] = [];
  const deps = {
    approvals: { countWaiting: async () => waiting },
    executions: {
      awaitPerson: async (...given: unknown[]) => {
        asked.push(given);
        order.push("row");
        return expiresAt;
      },
      billOutside: async (_key: object, bill: object) => billed.push(bill) > 0,
      finish: async (_key: object, ending: object) => ({ ...ending, executionId: "exe_1", endEventId: null }),
    },
    stream: {
      append: async (_tenant: string, events: ExecutionEvent[]) => {
        await Promise.resolve();
        order.push(...events.map(({ type }) => type));
        return said.push(...events) > 0;
      },
    },
    tenantEvents: { publish: async (_tenant: string, news: object) => void published.push(news) },
    clock: () => new Date(0),
    report: () => undefined,
  } as unknown as HandToPersonDeps & AskToolDeps;
  const held = heldAttempt();
  const log = new AttemptLog(deps, held);
  log.say({ type: "execution.log", level: "info", text: "hm" });
  const run = { asking: { because: "answered" }, used: NO_USAGE, bindMs: 0, held, log } as const;
  const claimed = { ...held, requestedBy: "key_1" } as unknown as ClaimedExecution;
  return { code: await handToPerson(deps, claimed, run), said, published, asked, billed, order };
}

test("what the code printed is told before anybody can answer", async () => {
  const { order } = await hand(0, "2026-01-01T00:02:00.000Z");
  expect(order).toEqual(["execution.log", "row", "execution.awaiting_approval"]);
});

test("an attempt that is handed to a person tells its followers and those who may answer", async () => {
  const { code, said, published, asked } = await hand(0, "2026-01-01T00:02:00.000Z");
  expect(code).toBeNull();
  expect(asked[0]?.slice(1)).toEqual([
    { asking: { because: "answered" }, askedEventId: "1-3" },
    NO_USAGE,
    120_000,
  ]);
  expect(said).toMatchObject([
    { type: "execution.log", id: "1-2" },
    { type: "execution.awaiting_approval", id: "1-3", expiresAt: "2026-01-01T00:02:00.000Z" },
  ]);
  expect(published).toMatchObject([{ type: "approval.requested", data: { by: "key_1" } }]);
});

test("where too many wait it ends, and where it was ended meanwhile nobody is asked", async () => {
  const full = await hand(APPROVALS_WAITING_MAX, "");
  expect([full.code, full.asked, full.published]).toEqual(["approval.too_many", [], []]);
  const gone = await hand(0, null);
  expect([gone.code, gone.order, gone.published]).toEqual(["superseded", ["execution.log", "row"], []]);
  expect(gone.billed).toHaveLength(1);
});
