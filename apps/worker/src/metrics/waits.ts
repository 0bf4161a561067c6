import type { AttemptKey, ExecutionStore } from "@bulkhead/domain";
import { timeBy, type Meter } from "@bulkhead/telemetry";

const OTHERS = "other";

/** How long attempts wait before they run, seen where they are taken and claimed. */
export interface Waits {
  /** To be told of each attempt that is taken, with the moment at which it was handed out (milliseconds since 1970). */
  taken(attempt: AttemptKey, readySince: number): void;
  /** The store, with the wait of everything that is claimed through it measured. */
  measured<Store extends Pick<ExecutionStore, "claim">>(executions: Store): Store;
}

/**
 * Measures the waits by phase, and as a whole by tenant, for the tenants in `shownTenants` and all others together. The
 * moment of handing out is another machine's: where its clock is ahead or behind, the two phases share the wait wrongly,
 * and their sum is right.
 */
export function measureWaits(meter: Meter, shownTenants: readonly string[]): Waits {
  const phase = timeBy(meter, "bulkhead_execution_phase_seconds");
  const dwell = timeBy(meter, "bulkhead_dwell_seconds", [...shownTenants, OTHERS]);
  /** By the very attempt that was taken: the claim that follows is given the same object. */
  const readyFor = new WeakMap<AttemptKey, number>();
  return {
    taken: (attempt, readySince) => void readyFor.set(attempt, Math.max(0, Date.now() - readySince)),
    measured: (executions) => ({
      ...executions,
      async claim(attempt, workerId, leaseMs) {
        const claimed = await executions.claim(attempt, workerId, leaseMs);
        if (claimed === null) return claimed;
        const waitedMs = Math.max(0, claimed.queuedMs);
        const readyMs = Math.min(waitedMs, readyFor.get(attempt) ?? waitedMs);
        phase("limit_wait", waitedMs - readyMs);
        phase("dwell", readyMs);
        dwell(claimed.tenantId, waitedMs);
        return claimed;
      },
    }),
  };
}
