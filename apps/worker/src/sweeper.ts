import type { ExecutionStore } from "@bulkhead/domain";
import { sweep, type Healed, type Report, type SweepDeps } from "@bulkhead/execution";
import { Repeating } from "./repeating.ts";

const SWEEP_EVERY_MS = 1_000;
const PARTITIONS_EVERY_MS = 3_600_000;

/** Sweeps every second; says what it healed, since in a healthy system that is nothing. */
export function sweepOften(deps: SweepDeps, say: (healed: Healed) => void): Repeating {
  const step = async (): Promise<void> => {
    const healed = await sweep(deps);
    const { expired: _ordinary, ...wrong } = healed;
    if (Object.values(wrong).some((count) => count > 0)) say(healed);
  };
  return new Repeating("sweeping", SWEEP_EVERY_MS, step, deps.report);
}

/** Makes the partitions of the coming weeks. */
export const keepPartitions = (
  executions: Pick<ExecutionStore, "ensurePartitions">,
  report: Report,
): Repeating =>
  new Repeating("making partitions", PARTITIONS_EVERY_MS, () => executions.ensurePartitions(), report);
