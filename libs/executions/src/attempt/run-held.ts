import { announcingEventId, type ExecutionStore, type RunnableTool } from "@bulkhead/core";
import { AttemptLog, type AttemptLogDeps } from "./attempt-log.ts";
import { failed, type Judged } from "./judge.ts";
import { NO_USAGE } from "./no-usage.ts";
import type { Ran, SandboxRunDeps } from "./run-in-sandbox.ts";
import { openSecrets, type RunSecrets, type SecretDeps } from "../secrets/open-secrets.ts";
import type { HeldAttempt } from "./tool-calls.ts";
import { tracedRun } from "./traced-run.ts";

export interface HeldRunDeps extends SandboxRunDeps, AttemptLogDeps, SecretDeps {
  executions: SandboxRunDeps["executions"] & Pick<ExecutionStore, "tryAgain">;
  /** Takes how often what was covered in a run. */
  tally(tenantId: string, counts: ReadonlyMap<string, number>): void;
}

/** A run with the attempt that it ended in, which is a later one where a suspect was tried again. */
export interface HeldRun {
  ran: Ran;
  held: HeldAttempt;
  log: AttemptLog;
  /** The tool has killed its process, and nobody else can have. */
  convicted: boolean;
}

/** Runs a held attempt with the secrets that its tool declares, or not at all where one can't be had. */
export async function runHeld(
  deps: HeldRunDeps,
  held: HeldAttempt,
  tool: RunnableTool,
  log: AttemptLog,
): Promise<HeldRun> {
  const opened = await openSecrets(deps, held, tool);
  if ("refusal" in opened) return neverRun(opened.refusal, held, log);
  try {
    return await runUntilEnded(deps, held, tool, opened.secrets, log);
  } finally {
    const tally = (): void => deps.tally(held.tenantId, opened.secrets.scrubber.counts);
    // Of a run that is to be thrown away nothing is counted.
    if (held.claim === null) tally();
    else void held.claim.settled.then((isHeld) => isHeld && tally());
  }
}

/** Of what is refused before anything of it ran. */
export const neverRun = (refusal: Judged, held: HeldAttempt, log: AttemptLog): HeldRun => ({
  ran: { ending: { ...refusal, usage: NO_USAGE, endedBy: null }, bindMs: 0, crashed: null },
  held,
  log,
  convicted: false,
});

/**
 * A run whose process dies under it is a suspect, no more: an earlier run may have left the process broken. It is tried
 * again, as the next attempt and alone, where that can't do an effect twice.
 */
async function runUntilEnded(
  deps: HeldRunDeps,
  first: HeldAttempt,
  tool: RunnableTool,
  secrets: RunSecrets,
  firstLog: AttemptLog,
): Promise<HeldRun> {
  let held = first;
  let log = firstLog;
  for (;;) {
    const ran = await tracedRun(deps, held, tool, secrets, log);
    if ("stopped" in ran || ran.crashed === null) return { ran, held, log, convicted: false };
    if (held.claim !== null && !(await held.claim.make())) return thrownAway(ran, held, log);
    const leaseFrom = performance.now();
    const mayTry = ran.crashed !== "own" && (await deps.executions.tryAgain(held, deps.leaseMs));
    if (!mayTry) return { ...judgeSuspect(ran), held, log };
    held = { ...held, attempt: held.attempt + 1, suspect: true, claim: null, leaseFrom };
    log = new AttemptLog(deps, held);
    const { executionId, attempt } = held;
    const at = deps.clock().toISOString();
    log.send({ type: "execution.retrying", id: announcingEventId(attempt), executionId, attempt, at });
  }
}

/** Of a run that others have claimed before it could. */
const thrownAway = (
  { ending, bindMs }: Extract<Ran, { ending: unknown }>,
  held: HeldAttempt,
  log: AttemptLog,
): HeldRun => ({
  ran: { stopped: "superseded", used: ending.usage, bindMs },
  held,
  log,
  convicted: false,
});

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
