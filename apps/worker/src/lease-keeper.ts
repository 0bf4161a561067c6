import type { ExecutionQueue, ExecutionStore } from "@bulkhead/domain";
import type { Report, RunningAttempts } from "@bulkhead/execution";
import { Repeating } from "./repeating.ts";

/** Long enough to outlast a pause of the collector or a short failover, short enough that a dead worker's work goes on soon. */
export const LEASE_MS = 12_000;
/** Three tries before a lease runs out. */
const RENEW_EVERY_MS = LEASE_MS / 4;

export interface LeaseKeeperDeps {
  executions: Pick<ExecutionStore, "renewLeases">;
  queue: Pick<ExecutionQueue, "renew">;
  running: RunningAttempts;
  report: Report;
}

/** Renews the leases of what runs here, and stops what is no longer ours. */
export function keepLeases({ executions, queue, running, report }: LeaseKeeperDeps): Repeating {
  const renew = async (): Promise<void> => {
    const attempts = running.list();
    if (attempts.length === 0) return;
    const held = new Set(
      (await executions.renewLeases(attempts, LEASE_MS)).map(({ executionId }) => executionId),
    );
    for (const { executionId, attempt } of attempts) {
      if (held.has(executionId)) running.confirm(executionId, attempt);
      else running.stop(executionId, attempt, "superseded");
    }
    await queue.renew(running.slotsOf(attempts.filter(({ executionId }) => held.has(executionId))));
  };
  return new Repeating("renewing leases", RENEW_EVERY_MS, renew, report);
}
