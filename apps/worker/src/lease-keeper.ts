import { attemptName, type ExecutionQueue, type ExecutionStore, type SignalBus } from "@bulkhead/core";
import type { Report, RunningAttempts } from "@bulkhead/executions";
import { Repeating } from "./repeating.ts";

/** Long enough to outlast a pause of the collector or a short failover, short enough that a dead worker's work goes on soon. */
export const LEASE_MS = 12_000;
/** Three tries before a lease runs out. */
const RENEW_EVERY_MS = LEASE_MS / 4;
/** How often leases are looked at while the word that an execution was ended elsewhere can't arrive. */
const LOOK_EVERY_MS = 500;

export interface LeaseKeeperDeps {
  executions: Pick<ExecutionStore, "renewLeases">;
  queue: Pick<ExecutionQueue, "renew">;
  bus: Pick<SignalBus, "connected" | "interruptions">;
  running: RunningAttempts;
  report: Report;
}

/** Renews the leases of attempts that run here, and stops lost ones: early if the signal about it may have been missed. */
export function keepLeases({ executions, queue, bus, running, report }: LeaseKeeperDeps): Repeating {
  let renewedAt = performance.now();
  let interruptions = 0;
  const look = async (): Promise<void> => {
    const isDue = performance.now() - renewedAt >= RENEW_EVERY_MS;
    const isDeaf = !bus.connected || bus.interruptions !== interruptions;
    if (!isDue && !isDeaf) return;
    const askedAt = performance.now();
    if (isDue) renewedAt = askedAt;
    interruptions = bus.interruptions;
    const attempts = running.list();
    if (attempts.length === 0) return;
    // By attempt: a lost one may still run here beside its successor.
    const held = new Set((await executions.renewLeases(attempts, LEASE_MS)).map(attemptName));
    for (const key of attempts) {
      const { executionId, attempt } = key;
      if (held.has(attemptName(key))) running.confirm(executionId, attempt, askedAt);
      else running.stop(executionId, attempt, "superseded");
    }
    if (!isDue) return;
    await queue.renew(running.slotsOf(attempts.filter((key) => held.has(attemptName(key)))));
  };
  return new Repeating("renewing leases", LOOK_EVERY_MS, look, report);
}
