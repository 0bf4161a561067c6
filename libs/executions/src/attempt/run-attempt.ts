import {
  announcingEventId,
  endedByPlatform,
  isTerminal,
  type AttemptKey,
  type ExecutionQueue,
  type ExecutionStore,
  type LateBill,
} from "@bulkhead/core";
import { PLATFORM_ERROR, type TraceSpan, type Tracing } from "@bulkhead/process/telemetry";
import { setTimeout } from "node:timers/promises";
import { AttemptLog } from "./attempt-log.ts";
import { billLate } from "./bill-late.ts";
import { findRunnable } from "./find-runnable.ts";
import { failed } from "./judge.ts";
import { withCalls, type NestedCallDeps } from "./nested-calls.ts";
import { neverRun, runHeld, type HeldRun } from "./run-held.ts";
import { reportOf } from "../end/report.ts";
import type { Ran } from "./run-in-sandbox.ts";
import { roundMs } from "./stopwatch.ts";
import type { HeldAttempt } from "./tool-calls.ts";
import { takeAttempt, type TakeDeps, type Taken, type TakenAttempt } from "./take-attempt.ts";
import { beginAttempt } from "./attempt-span.ts";
import { persistEnd } from "./persist-end.ts";
import { failureOf } from "./traced-run.ts";
import { tryLater } from "../heal/try-later.ts";

export interface RunDeps extends NestedCallDeps {
  executions: NestedCallDeps["executions"] &
    TakeDeps["executions"] &
    Pick<ExecutionStore, "find" | "handBack" | "retryLater">;
  queue: Pick<ExecutionQueue, "release" | "admit">;
  tracing: Tracing;
}

/** Before an execution is handed back for which there was no sandbox: less than a lease, enough for some to start. */
const NO_SANDBOX_PAUSE_MS = 2_000;
/** What an attempt fails with that could not be seen through. */
const BROKEN = "service.unavailable";

/**
 * Sees one attempt through: takes it, runs it, claims it, writes its end, tells it, frees its slot. An attempt that someone
 * else holds or ended, or that is run here already, is dropped without a word. Rejects only when the database can't be reached; the lease heals that.
 * `readySince` is when it was handed out, in milliseconds since 1970; null where nobody knows.
 */
export async function runAttempt(
  deps: RunDeps,
  attempt: TakenAttempt,
  readySince: number | null = null,
): Promise<void> {
  const giveBack = deps.running.take(attempt);
  if (giveBack === null) return;
  try {
    await runTaken(deps, attempt, readySince);
  } finally {
    giveBack();
  }
}

async function runTaken(deps: RunDeps, attempt: TakenAttempt, readySince: number | null): Promise<void> {
  const claimStart = performance.now();
  const { claimed, claim } = await takeAttempt(deps, attempt, claimStart);
  const mayRun = claim !== null || isHeld(deps, claimStart);
  if (!(claimed ? mayRun : await isFree(deps, attempt))) return;
  const span = claimed && beginAttempt(deps.tracing, claimed, { readySince, claimStart });
  const report = claimed ? reportOf(deps.report, claimed) : deps.report;
  let failure: string | null = BROKEN;
  try {
    if (claimed && span)
      failure = await seeThrough({ ...deps, report }, { claimed, claim }, claimStart, span);
  } finally {
    if (failure === BROKEN) span?.set(PLATFORM_ERROR);
    claim?.close();
    const usedMs = performance.now() - claimStart;
    if (claim === null || claim.isHeld || (await isOver(deps, attempt)))
      await deps.queue
        .release(attempt, usedMs)
        .catch((error: unknown) => report("freeing a slot failed", error));
    span?.end(failure);
  }
}

/** Whether the lease of a claim that was asked for then still holds; of one that does not a sweep makes the next attempt. */
const isHeld = ({ leaseMs }: RunDeps, claimStart: number): boolean =>
  performance.now() - claimStart < leaseMs;

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

/** Answers the code of how the attempt ended; null for a good end. */
async function seeThrough(
  deps: RunDeps,
  taken: Taken,
  claimStart: number,
  span: TraceSpan,
): Promise<string | null> {
  const { claimed } = taken;
  const claimMs = roundMs(performance.now() - claimStart);
  const { ran, held, log, convicted } = await run(deps, taken, claimStart, span);
  const usage = "stopped" in ran ? ran.used : ran.ending.usage;
  const timings = {
    dwell: roundMs(Math.max(0, claimed.waitedMs - claimMs)),
    claim: claimMs,
    bind: roundMs(ran.bindMs),
    run: roundMs(usage.wallMs),
  };
  if ("stopped" in ran) {
    const bill: LateBill = { usage, timings, endedBy: "worker" };
    const isGone = ran.stopped === "superseded" && (await isGoneByRight(deps, held, bill));
    // Whoever cancels it has not failed, and nor have we; that a lease was lost is ours.
    span.set({ "bulkhead.outcome": ran.stopped, ...(isGone ? {} : PLATFORM_ERROR) });
    await handOver(deps, held, ran.stopped, bill, log);
    return isGone ? null : ran.stopped;
  }
  const ending = { ...ran.ending, timings };
  if (endedByPlatform(ending)) span.set(PLATFORM_ERROR);
  const retried = !convicted && (await tryLater(deps, claimed, held, ending, log));
  const ended = retried ? null : await persistEnd(deps, held, ending, log, convicted);
  span.set({ "bulkhead.outcome": retried ? "retrying" : (ended?.status ?? "superseded") });
  return ended?.error?.code ?? failureOf(ran);
}

/** Bills a stopped run where it was ended from outside; one that was never claimed was others' to end or to run, and is not billed. */
async function isGoneByRight(deps: RunDeps, held: HeldAttempt, bill: LateBill): Promise<boolean> {
  const { claim } = held;
  return claim === null || claim.isHeld ? billLate(deps, held, bill) : !claim.hasFailed;
}

async function run(
  deps: RunDeps,
  { claimed, claim }: Taken,
  claimStart: number,
  span: TraceSpan,
): Promise<HeldRun> {
  const { tenantId, executionId, attempt } = claimed;
  const held = {
    ...claimed,
    leaseFrom: claim === null ? claimStart : null,
    claim,
    callers: [],
    callerSecrets: null,
    tree: { calls: 0 },
    callerGone: null,
    span,
    slot: { tenantId, executionId, attempt },
  };
  const log = new AttemptLog(deps, claimed, claim);
  const { tool, refusal } = await findRunnable(deps, claimed);
  if (tool) return runHeld(withCalls(deps), held, tool, log);
  return neverRun(refusal, held, log);
}

/** A run that this worker stopped: its execution goes back to the queue where it may run again, else it is lost. */
async function handOver(
  deps: RunDeps,
  held: HeldAttempt,
  stopped: Extract<Ran, { stopped: unknown }>["stopped"],
  bill: LateBill,
  log: AttemptLog,
): Promise<void> {
  if (stopped === "superseded" || (held.claim !== null && !(await held.claim.make()))) return;
  if (stopped === "no_sandbox") await setTimeout(NO_SANDBOX_PAUSE_MS);
  const handedBack = await deps.executions.handBack(held);
  if (handedBack === "gone") return;
  if (handedBack === "kept") {
    const message = "The worker stopped after the tool had asked for an effect; the tool is not idempotent.";
    const lost = failed("lost", "execution.lost", message);
    await persistEnd(deps, held, { ...lost, ...bill }, log, false);
    return;
  }
  const { executionId, attempt } = handedBack;
  const at = deps.clock().toISOString();
  log.send({ type: "execution.retrying", id: announcingEventId(attempt), executionId, attempt, at });
  await deps.queue
    .admit([handedBack])
    .catch((error: unknown) => deps.report("handing an execution back failed; a sweep will do it", error));
}
