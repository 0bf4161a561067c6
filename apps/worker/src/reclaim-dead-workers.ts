import { reclaimAttempts, type ReclaimDeps } from "@bulkhead/executions";
import type { Closable } from "@bulkhead/process";
import { countBy, type Meter } from "@bulkhead/process/telemetry";
import { setTimeout as delay } from "node:timers/promises";

/** After a store was away. */
const AGAIN_MS = 1_000;

export interface ReclaimInput {
  /** Processes whose end was seen. */
  deadWorkerIds: readonly string[];
  /** Hears of reclaimed attempts, if there were any. */
  say: (healed: { requeued: number; lost: number }) => void;
}

/** Reclaims the attempts of dead workers at once, and counts them as a sweep would after their leases. */
export function reclaimDeadWorkers(
  deps: ReclaimDeps,
  meter: Meter,
  { deadWorkerIds, say }: ReclaimInput,
): Closable {
  const count = countBy(meter, "bulkhead_healed_total");
  const closing = new AbortController();
  const once = async (): Promise<void> => {
    const healed = await reclaimAttempts(deps, deadWorkerIds);
    count("requeued", healed.requeued);
    count("lost", healed.lost);
    if (healed.requeued + healed.lost > 0) say(healed);
  };
  const untilDone = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        return await once();
      } catch (error) {
        deps.report("reclaiming a dead worker's attempts failed; it is tried again", error);
      }
      await delay(AGAIN_MS, null, { signal: closing.signal }).catch(() => null);
    }
  };
  const done = untilDone();
  return {
    async close() {
      closing.abort();
      await done;
    },
  };
}
