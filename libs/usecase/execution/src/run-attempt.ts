import {
  announcingEventId,
  endEventOf,
  type AttemptKey,
  type ClaimedExecution,
  type Clock,
  type EgressBroker,
  type Ending,
  type EventStream,
  type ExecutionQueue,
  type ExecutionStore,
  type Sandbox,
  type ToolDefinition,
} from "@bulkhead/domain";
import { setTimeout } from "node:timers/promises";
import { Fault } from "@bulkhead/faults";
import { AttemptLog } from "./attempt-log.ts";
import { failed } from "./judge.ts";
import type { Report } from "./report.ts";
import { runInSandbox, type Ran } from "./run-in-sandbox.ts";
import type { RunningAttempts } from "./running-attempts.ts";
import { roundMs } from "./stopwatch.ts";

export interface RunDeps {
  executions: Pick<ExecutionStore, "claim" | "markEffect" | "finish" | "handBack">;
  queue: Pick<ExecutionQueue, "release" | "admit">;
  stream: Pick<EventStream, "append">;
  sandbox: Pick<Sandbox, "run">;
  egress: Pick<EgressBroker, "open">;
  /** The code of one version; null when the tool is gone. */
  findDefinition(tenantId: string, toolId: string, version: number): Promise<ToolDefinition | null>;
  running: RunningAttempts;
  clock: Clock;
  report: Report;
  workerId: string;
  /** For how long a claim holds without a renewal; milliseconds. */
  leaseMs: number;
}

/** Six tries over about six seconds. */
const FINISH_TRIES_MAX = 6;
const FINISH_BACKOFF_MS = 100;
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
  const log = new AttemptLog(deps, claimed);
  const tool = await definitionOf(deps, claimed);
  const ran: Ran = tool
    ? await runInSandbox(deps, claimed, tool, log)
    : {
        ending: {
          ...failed("failed", "tool.not_active", "The tool was disabled or deleted before it ran."),
          usage: NO_USAGE,
        },
        bindMs: 0,
      };
  if ("stopped" in ran) return handOver(deps, claimed, ran, log);
  const timings = {
    dwell: roundMs(Math.max(0, claimed.waitedMs - claimMs)),
    claim: claimMs,
    bind: roundMs(ran.bindMs),
    run: roundMs(ran.ending.usage.wallMs),
  };
  await finish(deps, claimed, { ...ran.ending, timings }, log);
}

async function finish(deps: RunDeps, attempt: AttemptKey, ending: Ending, log: AttemptLog): Promise<void> {
  const finished = await writeEnd(deps, attempt, ending, log.endEventId());
  const event = finished && endEventOf(finished);
  if (event) log.send(event);
}

/** A result in hand is worth waiting for a database that comes back; if it does not, the lease runs out. */
async function writeEnd(deps: RunDeps, attempt: AttemptKey, ending: Ending, endEventId: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.executions.finish(attempt, ending, endEventId);
    } catch (error) {
      if (!isPassing(error)) return deps.executions.finish(attempt, unstorable(ending), endEventId);
      if (tries === FINISH_TRIES_MAX) throw error;
      deps.report("writing an end failed; trying again", error);
      await setTimeout(FINISH_BACKOFF_MS * 2 ** tries);
    }
  }
}

const isPassing = (error: unknown): boolean => error instanceof Fault && error.retryable;

/** The end of a run whose result the database refuses for what it is. */
const unstorable = (ending: Ending): Ending => ({
  ...ending,
  ...failed("failed", "tool.output_invalid", "The result can't be stored."),
});

/** What is to run; null when the tool is gone or no longer active. */
async function definitionOf(
  deps: Pick<RunDeps, "findDefinition">,
  claimed: ClaimedExecution,
): Promise<Pick<ToolDefinition, "code" | "permissions" | "limits"> | null> {
  if (claimed.inlineTool) return claimed.inlineTool;
  if (!claimed.toolId || claimed.toolStatus !== "active") return null;
  return deps.findDefinition(claimed.tenantId, claimed.toolId, claimed.toolVersion);
}

/** A run that this worker stopped: its execution goes back to the queue where it may run again, else it is lost. */
async function handOver(
  deps: RunDeps,
  claimed: ClaimedExecution,
  { stopped }: Extract<Ran, { stopped: unknown }>,
  log: AttemptLog,
): Promise<void> {
  if (stopped === "superseded") return;
  if (stopped === "no_sandbox") await setTimeout(NO_SANDBOX_PAUSE_MS);
  const handedBack = await deps.executions.handBack(claimed);
  if (handedBack === "gone") return;
  if (handedBack === "kept") {
    const message = "The worker stopped after the tool had asked for an effect; the tool is not idempotent.";
    const ending = { ...failed("lost", "execution.lost", message), usage: NO_USAGE, timings: {} };
    return finish(deps, claimed, ending, log);
  }
  const next = { ...claimed, attempt: claimed.attempt + 1 };
  log.send({
    type: "execution.retrying",
    id: announcingEventId(next.attempt),
    executionId: next.executionId,
    attempt: next.attempt,
    at: deps.clock().toISOString(),
  });
  await deps.queue
    .admit({ tenantId: next.tenantId, executionId: next.executionId, attempt: next.attempt }, null)
    .catch((error: unknown) => deps.report("handing an execution back failed; a sweep will do it", error));
}
