import { announcingEventId, type ExecutionStore, type ToolDefinition } from "@bulkhead/domain";
import { AttemptLog, type AttemptLogDeps } from "./attempt-log.ts";
import { failed } from "./judge.ts";
import { runInSandbox, type Ran, type SandboxRunDeps } from "./run-in-sandbox.ts";
import type { HeldAttempt } from "./tool-calls.ts";

export interface HeldRunDeps extends SandboxRunDeps, AttemptLogDeps {
  executions: SandboxRunDeps["executions"] & Pick<ExecutionStore, "tryAgain">;
}

type Runnable = Pick<ToolDefinition, "code" | "permissions" | "limits" | "allowedHosts">;

/** A run with the attempt that it ended in, which is a later one where a suspect was tried again. */
export interface HeldRun {
  ran: Ran;
  held: HeldAttempt;
  log: AttemptLog;
  /** The tool has killed its process, and nobody else can have. */
  convicted: boolean;
}

/**
 * Runs a held attempt. When its process dies under it, it is a suspect, no more: an earlier run may have left the process
 * broken. It is tried again, as the next attempt and alone, where that can't do an effect twice.
 */
export async function runHeld(
  deps: HeldRunDeps,
  first: HeldAttempt,
  tool: Runnable,
  firstLog: AttemptLog,
): Promise<HeldRun> {
  let held = first;
  let log = firstLog;
  for (;;) {
    const ran = await runInSandbox(deps, held, tool, log);
    if ("stopped" in ran || ran.crashed === null) return { ran, held, log, convicted: false };
    const mayTry = ran.crashed !== "own" && (await deps.executions.tryAgain(held, deps.leaseMs));
    if (!mayTry) return { ...judgeSuspect(ran), held, log };
    held = { ...held, attempt: held.attempt + 1 };
    log = new AttemptLog(deps, held);
    const { executionId, attempt } = held;
    const at = deps.clock().toISOString();
    log.send({ type: "execution.retrying", id: announcingEventId(attempt), executionId, attempt, at });
  }
}

function judgeSuspect(ran: Extract<Ran, { crashed: unknown }>) {
  const how = ran.ending.error?.message ?? "";
  // Whoever ends a process from outside (an operator, a machine out of memory) says nothing of the tool.
  const fromOutside = ran.ending.endedBy === "system";
  const convicted = ran.crashed !== "used" && !fromOutside;
  const untried =
    "The run was not tried again, since the tool had asked for an effect and is not idempotent.";
  const alone = fromOutside
    ? "Something outside the sandbox ended it; call the tool again."
    : "The process had run nothing else, so the tool counts as what ends it.";
  const verdict = ran.crashed === "used" ? untried : alone;
  return {
    convicted,
    ran: { ...ran, ending: { ...ran.ending, ...failed("failed", "sandbox.crashed", `${how} ${verdict}`) } },
  };
}
