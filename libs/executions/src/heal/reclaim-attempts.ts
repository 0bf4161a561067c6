import type { ExecutionStore } from "@bulkhead/core";
import { tellEnd } from "../end/end-execution.ts";
import { runAgain, type SweepDeps } from "./sweep.ts";

export interface ReclaimDeps extends Omit<SweepDeps, "executions"> {
  executions: Pick<ExecutionStore, "recoverAttemptsOf">;
}

/** How many rows one statement takes. */
const ROWS_MAX = 1_000;

/**
 * Ends the attempts of workers that are dead for certain, as a sweep does once their leases have run out, and frees their
 * slots at once: of what is lost too, since nobody is left to do it.
 */
export async function reclaimAttempts(
  deps: ReclaimDeps,
  deadWorkerIds: readonly string[],
): Promise<{ requeued: number; lost: number }> {
  const sum = { requeued: 0, lost: 0 };
  if (deadWorkerIds.length === 0) return sum;
  for (let taken = ROWS_MAX; taken === ROWS_MAX;) {
    const { requeued, lost } = await deps.executions.recoverAttemptsOf(deadWorkerIds, ROWS_MAX);
    for (const execution of lost) {
      await tellEnd(deps, execution);
      await deps.queue.release(execution, null);
    }
    for (const execution of requeued) await runAgain(deps, execution);
    sum.requeued += requeued.length;
    sum.lost += lost.length;
    taken = requeued.length + lost.length;
  }
  return sum;
}
