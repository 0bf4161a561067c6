import type { AttemptKey, ClaimedExecution, ExecutionStore } from "@bulkhead/core";
import { LateClaim, type LateClaimDeps } from "./late-claim.ts";
import { reportOf } from "../end/report.ts";

export interface TakeDeps extends LateClaimDeps {
  executions: Pick<ExecutionStore, "look" | "claim">;
}

/**
 * How soon after it was queued a first try may run unclaimed: no slot that was handed out lapses sooner, so what is younger
 * and was handed out before says so. Else a run that takes its worker along could begin for ever. Milliseconds.
 */
const QUEUED_MS_MAX = 60_000;

/** An attempt that has its turn; `again` where it was handed out before, to a worker that may be gone. */
export interface TakenAttempt extends AttemptKey {
  again?: true;
}

/** What is to run, with its claim where that is still to be made. */
export interface Taken {
  claimed: ClaimedExecution;
  claim: LateClaim | null;
}

/**
 * Reads what is to run; null where it is others'. A tool's first try is claimed late, most often with its end, which is one
 * write less. All else is claimed before it runs: what is tried again may have taken a worker along, and a dry run puts on
 * record what it sees.
 */
export async function takeAttempt(
  deps: TakeDeps,
  attempt: TakenAttempt,
  beganAt: number,
): Promise<Taken | { claimed: null; claim: null }> {
  if (attempt.attempt === 1 && !attempt.again) {
    const seen = await deps.executions.look(attempt);
    if (seen === null) return { claimed: null, claim: null };
    if (seen.toolId !== null && seen.queuedMs < QUEUED_MS_MAX) {
      const report = reportOf(deps.report, seen);
      return { claimed: seen, claim: new LateClaim({ ...deps, report }, attempt, beganAt) };
    }
  }
  return { claimed: await deps.executions.claim(attempt, deps.workerId, deps.leaseMs), claim: null };
}
