import type { AttemptKey, ClaimedExecution, ExecutionStore } from "@bulkhead/core";
import type { HandedOut } from "@bulkhead/redis";
import { histogramOf, timeBy, type Meter } from "@bulkhead/process/telemetry";

const OTHERS = "other";

/** How long attempts wait before they run, seen where they are taken and read. */
export interface Waits {
  /** Call this with each taken attempt, and the moment at which it was handed out (milliseconds since 1970). */
  taken(attempt: HandedOut, readySince: number): void;
  /** The store, with the wait of everything measured that is claimed through it, or looked at to be claimed with its end. */
  measured<Store extends Pick<ExecutionStore, "look" | "claim">>(executions: Store): Store;
}

/**
 * Measures the waits by phase, and as a whole by tenant, for the tenants in `shownTenants` and all others together; and
 * apart from them the wait that more workers would have shortened, where the dispatcher watched it. The
 * moment of handing out is another machine's: where its clock is ahead or behind, the two phases share the wait wrongly,
 * and their sum is right.
 */
export function measureWaits(meter: Meter, shownTenants: readonly string[]): Waits {
  const phase = timeBy(meter, "bulkhead_execution_phase_seconds");
  const dwell = timeBy(meter, "bulkhead_dwell_seconds", [...shownTenants, OTHERS]);
  const startable = histogramOf(meter, "bulkhead_startable_wait_seconds");
  /** Keyed by the attempt object that was taken: later steps get the same object. */
  const takenBefore = new WeakMap<AttemptKey, { readyMs: number; startableMs: number | null }>();
  /** Begun without a claim: theirs may follow, in the midst of the run. */
  const begun = new WeakSet<AttemptKey>();
  const waited = (attempt: AttemptKey, claimed: ClaimedExecution): void => {
    begun.add(attempt);
    const waitedMs = Math.max(0, claimed.queuedMs);
    const taken = takenBefore.get(attempt) ?? { readyMs: waitedMs, startableMs: null };
    const readyMs = Math.min(waitedMs, taken.readyMs);
    phase("limit_wait", waitedMs - readyMs);
    phase("dwell", readyMs);
    dwell(claimed.tenantId, waitedMs);
    // A start that its tenant was long allowed may be taken by an attempt that came later: it waited no longer than it was there.
    if (taken.startableMs !== null) startable.record(Math.min(waitedMs, taken.startableMs + readyMs) / 1_000);
  };
  return {
    taken(attempt, readySince) {
      const readyMs = Math.max(0, Date.now() - readySince);
      takenBefore.set(attempt, { readyMs, startableMs: attempt.startableMs ?? null });
    },
    measured: (executions) => ({
      ...executions,
      async look(attempt) {
        const seen = await executions.look(attempt);
        if (seen !== null) waited(attempt, seen);
        return seen;
      },
      async claim(attempt, ...how) {
        const claimed = await executions.claim(attempt, ...how);
        if (claimed !== null && !begun.has(attempt)) waited(attempt, claimed);
        return claimed;
      },
    }),
  };
}
