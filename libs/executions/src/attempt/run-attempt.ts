import {
  endedByPlatform,
  isTerminal,
  scopeOfAgent,
  type AttemptKey,
  type ClaimedExecution,
  type Execution,
  type ExecutionQueue,
  type ExecutionStore,
  type LateBill,
  type Timings,
} from "@bulkhead/core";
import { PLATFORM_ERROR, type TraceSpan, type Tracing } from "@bulkhead/process/telemetry";
import { reportOf } from "../end/report.ts";
import { AttemptLog } from "./attempt-log.ts";
import { askTool, handToPerson, withSpent, type AskedRun, type HandToPersonDeps } from "./ask-tool.ts";
import { beginAttempt, failureOf } from "./attempt-span.ts";
import { billLate, endAttempt, handBack, retryLater, type RequeueDeps } from "./end-attempt.ts";
import { sightFor } from "./callable-tools.ts";
import { findRunnable, NOT_THERE } from "./find-runnable.ts";
import type { Ran } from "./judge.ts";
import { LateClaim, type LateClaimDeps } from "./late-claim.ts";
import { withCalls, type NestedCallDeps } from "./nested-calls.ts";
import { neverRun, runTool, type ToolRun } from "./run-tool.ts";
import { roundMs, serverTimings } from "./stopwatch.ts";
import type { HeldAttempt } from "./tool-calls.ts";

export interface RunDeps extends TakeDeps, NestedCallDeps, RequeueDeps, Omit<HandToPersonDeps, "executions"> {
  executions: TakeDeps["executions"] &
    HandToPersonDeps["executions"] &
    NestedCallDeps["executions"] &
    RequeueDeps["executions"] &
    Pick<ExecutionStore, "find" | "handBack">;
  queue: Pick<ExecutionQueue, "release" | "admit">;
  tracing: Tracing;
}

/** An attempt that has its turn; `again` where it was handed out before, to a worker that may be gone. */
export interface TakenAttempt extends AttemptKey {
  again?: true;
}

/** The failure of an attempt that could not be seen through. */
const BROKEN = "service.unavailable";

/**
 * Sees one attempt through: takes it, runs its tool, ends it or queues it again, and frees its slot. An attempt that
 * someone else holds or ended, or that is run here already, is dropped without a word. Rejects only when the database can't
 * be reached; the lease heals that. `readySince` is when it was handed out, in milliseconds since 1970; null where nobody
 * knows.
 */
export async function runAttempt(
  deps: RunDeps,
  attempt: TakenAttempt,
  readySince: number | null = null,
): Promise<void> {
  const giveBack = deps.running.take(attempt);
  if (giveBack === null) return;
  try {
    const beganAt = performance.now();
    const taken = await take(deps, attempt, beganAt);
    if (taken !== null) await runTaken(deps, attempt, taken, { readySince, beganAt });
    else if (await isFree(deps, attempt)) await release(deps, attempt, performance.now() - beganAt);
  } finally {
    giveBack();
  }
}

interface TakeDeps extends LateClaimDeps {
  executions: Pick<ExecutionStore, "look" | "claim">;
}

/** An execution that is to run, with its claim where that is still to be made. */
interface Taken {
  claimed: ClaimedExecution;
  claim: LateClaim | null;
  /** When the row was asked. */
  askedAt: number;
}

/**
 * How soon after it was queued a first try may run unclaimed: no slot that was handed out lapses sooner, so what is younger
 * and was handed out before says so. Else a run that takes its worker along could begin for ever. Milliseconds.
 */
const QUEUED_MS_MAX = 60_000;

/**
 * Reads what is to run; null where it is others'. A tool's first try is claimed late, most often with its end, which is one
 * write less. All else is claimed before it runs: what is tried again may have taken a worker along, a dry run puts on record
 * what it sees, and a look that took as long as a lease may tell of a turn that another worker has by now.
 */
async function take(deps: TakeDeps, attempt: TakenAttempt, beganAt: number): Promise<Taken | null> {
  if (attempt.attempt === 1 && !attempt.again) {
    const seen = await deps.executions.look(attempt);
    if (seen === null) return null;
    const isTimely = performance.now() - beganAt < deps.leaseMs;
    if (seen.toolId !== null && seen.queuedMs < QUEUED_MS_MAX && isTimely) {
      const report = reportOf(deps.report, seen);
      const claim = new LateClaim({ ...deps, report }, attempt, beganAt);
      return { claimed: seen, claim, askedAt: beganAt };
    }
  }
  const askedAt = performance.now();
  const claimed = await deps.executions.claim(attempt, deps.workerId, deps.leaseMs);
  return claimed && { claimed, claim: null, askedAt };
}

async function runTaken(
  given: RunDeps,
  attempt: AttemptKey,
  taken: Taken,
  times: { readySince: number | null; beganAt: number },
): Promise<void> {
  const { claimed, claim, askedAt } = taken;
  const { beganAt } = times;
  // A claim whose answer came after its lease is none: a sweep makes the next attempt.
  if (claim === null && performance.now() - askedAt >= given.leaseMs) return;
  const deps = { ...given, report: reportOf(given.report, claimed) };
  const span = beginAttempt(deps.tracing, claimed, { ...times, claimStart: beganAt });
  let failure: string | null = BROKEN;
  try {
    const claimMs = roundMs(performance.now() - beganAt);
    const run = await runItsTool(deps, taken, beganAt, span);
    if ("asking" in run) {
      failure = await handToPerson(deps, claimed, run);
      span.set({ "bulkhead.outcome": failure ?? "asked" });
    } else failure = await endOrQueueAgain(deps, claimed, run, timingsOf(claimed, run.ran, claimMs));
  } finally {
    if (failure === BROKEN) span.set(PLATFORM_ERROR);
    claim?.close();
    const usedMs = performance.now() - beganAt;
    if (claim === null || claim.isHeld || (await isOver(given, attempt)))
      await release(deps, attempt, usedMs);
    span.end(failure);
  }
}

/** Runs the tool of a taken attempt, if that may still run, and where its own code is to be asked first, has said that it may. */
async function runItsTool(
  deps: RunDeps,
  { claimed, claim }: Taken,
  beganAt: number,
  span: TraceSpan,
): Promise<ToolRun | AskedRun> {
  const { tenantId, executionId, attempt } = claimed;
  const held: HeldAttempt = {
    ...claimed,
    leaseFrom: claim === null ? beganAt : null,
    claim,
    callers: [],
    callerSecrets: null,
    tree: { calls: 0 },
    callerGone: null,
    span,
    slot: { tenantId, executionId, attempt },
  };
  const log = new AttemptLog(deps, claimed, claim);
  const { tool, refusal } = (await isThere(deps, claimed)) ? await findRunnable(deps, claimed) : NOT_THERE;
  if (!tool) return neverRun(refusal, held, log);
  const all = withCalls(deps);
  if (!claimed.toolDecides) return runTool(all, held, tool, log);
  const asked = await askTool(all, held, tool, log);
  if ("asking" in asked || "ran" in asked) return asked;
  return withSpent(await runTool(all, held, tool, log), asked);
}

/** The policy may have changed since the call was accepted. What came with its call is no tool of the tenant's. */
async function isThere(deps: RunDeps, claimed: ClaimedExecution): Promise<boolean> {
  if (claimed.toolId === null) return true;
  const sight = await sightFor(deps, claimed);
  if (sight === null) return true;
  const { tenantId, toolId, toolName, scopeAgentId } = claimed;
  const tool = await deps.findTool(tenantId, scopeOfAgent(scopeAgentId), toolId);
  return sight.sees(tool ?? { name: toolName });
}

/**
 * Ends the execution as its tool ran, or queues it again. Answers the code of how the attempt ended; null for a good
 * end.
 */
async function endOrQueueAgain(
  deps: RunDeps,
  claimed: ClaimedExecution,
  { ran, held, log, convicted }: ToolRun,
  timings: Timings,
): Promise<string | null> {
  const { span } = held;
  if ("stopped" in ran) {
    const bill: LateBill = { usage: ran.used, timings, endedBy: "worker" };
    const isGone = ran.stopped === "superseded" && (await isGoneByRight(deps, held, bill));
    // A cancellation is nobody's failure; a lost lease is ours.
    span.set({ "bulkhead.outcome": ran.stopped, ...(isGone ? {} : PLATFORM_ERROR) });
    await handBack(deps, held, ran.stopped, bill, log);
    return isGone ? null : ran.stopped;
  }
  const ending = { ...ran.ending, timings };
  if (endedByPlatform(ending)) span.set(PLATFORM_ERROR);
  let ended: Execution | null = null;
  const retried = !convicted && (await retryLater(deps, claimed, held, ending, log));
  if (!retried) ended = await endAttempt(deps, held, ending, log, convicted);
  span.set({ "bulkhead.outcome": retried ? "retrying" : (ended?.status ?? "superseded") });
  return ended?.error?.code ?? failureOf(ran);
}

function timingsOf({ waitedMs }: ClaimedExecution, ran: Ran, claimMs: number): Timings {
  const { wallMs } = "stopped" in ran ? ran.used : ran.ending.usage;
  return {
    dwell: roundMs(Math.max(0, waitedMs - claimMs)),
    claim: claimMs,
    bind: roundMs(ran.bindMs),
    run: roundMs(wallMs),
    ...serverTimings(ran),
  };
}

/**
 * Bills a stopped run where it was ended from outside; one that was never claimed was others' to end or to run, and is
 * not billed.
 */
async function isGoneByRight(deps: RunDeps, held: HeldAttempt, bill: LateBill): Promise<boolean> {
  const { claim } = held;
  return claim === null || claim.isHeld ? billLate(deps, held, bill) : !claim.hasFailed;
}

/** Frees the attempt's slot. Never rejects. */
async function release({ queue, report }: RunDeps, attempt: AttemptKey, usedMs: number): Promise<void> {
  await queue.release(attempt, usedMs).catch((error: unknown) => report("freeing a slot failed", error));
}

/**
 * Whether nobody runs the execution, so that the attempt's slot is nobody's. It may have been handed out twice, and a
 * suspect that is tried again in place keeps the slot of its first attempt.
 */
async function isFree({ executions }: RunDeps, attempt: AttemptKey): Promise<boolean> {
  return (await executions.find(attempt))?.status !== "running";
}

/**
 * Whether the execution has ended, so that the slot of a run that was not claimed is nobody's. One that still waits keeps
 * it: that is how the sweep that hands it out again knows that it was tried. Never rejects.
 */
async function isOver({ executions, report }: RunDeps, attempt: AttemptKey): Promise<boolean> {
  try {
    const execution = await executions.find(attempt);
    return execution === null || isTerminal(execution.status);
  } catch (error) {
    report("looking whether a slot is free failed; it lapses", error);
    return false;
  }
}
