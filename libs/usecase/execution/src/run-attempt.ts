import {
  announcingEventId,
  type AttemptKey,
  type ClaimedExecution,
  type ExecutionQueue,
  type ExecutionStore,
} from "@bulkhead/domain";
import { setTimeout } from "node:timers/promises";
import { AttemptLog } from "./attempt-log.ts";
import { endAttempt, endConvicted } from "./end-attempt.ts";
import { findRunnable } from "./find-runnable.ts";
import { failed } from "./judge.ts";
import { withCalls, type NestedCallDeps } from "./nested-calls.ts";
import { runHeld, type HeldRun } from "./run-held.ts";
import type { Ran } from "./run-in-sandbox.ts";
import { roundMs } from "./stopwatch.ts";

export interface RunDeps extends NestedCallDeps {
  executions: NestedCallDeps["executions"] & Pick<ExecutionStore, "claim" | "handBack">;
  queue: Pick<ExecutionQueue, "release" | "admit">;
}

/** Before an execution is handed back for which there was no sandbox: less than a lease, enough for some to start. */
const NO_SANDBOX_PAUSE_MS = 2_000;

const NO_USAGE = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 } as const;

/**
 * Sees one attempt through: claims it, runs it, writes its end, tells it, frees its slot. An attempt that someone
 * else holds or ended is dropped without a trace. Rejects only when the database can't be reached; the lease heals that.
 */
export async function runAttempt(deps: RunDeps, attempt: AttemptKey): Promise<void> {
  try {
    const claimStart = performance.now();
    const claimed = await deps.executions.claim(attempt, deps.workerId, deps.leaseMs);
    if (claimed) await seeThrough(deps, claimed, roundMs(performance.now() - claimStart));
  } finally {
    await deps.queue.release(attempt).catch((error: unknown) => deps.report("freeing a slot failed", error));
  }
}

async function seeThrough(deps: RunDeps, claimed: ClaimedExecution, claimMs: number): Promise<void> {
  const { ran, held, log, convicted } = await run(deps, claimed);
  if ("stopped" in ran) return handOver(deps, held, ran, log);
  const timings = {
    dwell: roundMs(Math.max(0, claimed.waitedMs - claimMs)),
    claim: claimMs,
    bind: roundMs(ran.bindMs),
    run: roundMs(ran.ending.usage.wallMs),
  };
  const end = convicted ? endConvicted : endAttempt;
  await end(deps, held, { ...ran.ending, timings }, log);
}

async function run(deps: RunDeps, claimed: ClaimedExecution): Promise<HeldRun> {
  const { tenantId, executionId, attempt } = claimed;
  const held = {
    ...claimed,
    callers: [],
    tree: { calls: 0 },
    callerGone: null,
    slot: { tenantId, executionId, attempt },
  };
  const log = new AttemptLog(deps, claimed);
  const { tool, refusal } = await findRunnable(deps, claimed);
  if (tool) return runHeld(withCalls(deps), held, tool, log);
  const ending = { ...refusal, usage: NO_USAGE, endedBy: null };
  return { ran: { ending, bindMs: 0, crashed: null }, held, log, convicted: false };
}

/** A run that this worker stopped: its execution goes back to the queue where it may run again, else it is lost. */
async function handOver(
  deps: RunDeps,
  held: AttemptKey,
  { stopped }: Extract<Ran, { stopped: unknown }>,
  log: AttemptLog,
): Promise<void> {
  if (stopped === "superseded") return;
  if (stopped === "no_sandbox") await setTimeout(NO_SANDBOX_PAUSE_MS);
  const handedBack = await deps.executions.handBack(held);
  if (handedBack === "gone") return;
  if (handedBack === "kept") {
    const message = "The worker stopped after the tool had asked for an effect; the tool is not idempotent.";
    const lost = failed("lost", "execution.lost", message);
    await endAttempt(deps, held, { ...lost, usage: NO_USAGE, timings: {}, endedBy: "worker" }, log);
    return;
  }
  const { tenantId, executionId } = held;
  const next = { tenantId, executionId, attempt: held.attempt + 1 };
  log.send({
    type: "execution.retrying",
    id: announcingEventId(next.attempt),
    executionId,
    attempt: next.attempt,
    at: deps.clock().toISOString(),
  });
  await deps.queue
    .admit(next, null)
    .catch((error: unknown) => deps.report("handing an execution back failed; a sweep will do it", error));
}
