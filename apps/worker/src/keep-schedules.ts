import type { ScheduleTriggers } from "@bulkhead/core";
import { openScheduleConsumer } from "@bulkhead/redis";
import {
  fireReleased,
  fireSchedule,
  nextRun,
  reconcileSchedules,
  type ReconcileDeps,
  type Reconciled,
} from "@bulkhead/executions";
import { Repeating } from "./repeating.ts";

/** How often one command asks whether Redis has lost the triggers. */
const LOOK_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 30_000;
/** How soon after the end of a run the one that waited for it is made. */
const RELEASE_EVERY_MS = 1_000;

export interface KeepSchedulesInput {
  redisUrl: string;
  onError: (error: unknown) => void;
  /** Hears of corrections, since a healthy system needs none. */
  say: (reconciled: Reconciled) => void;
}

/**
 * Runs planned calls of schedules when their triggers come, and compares both: at once, every half minute, and when Redis
 * has lost the triggers. Runs that wait for an earlier one's end are made within a second of it.
 */
export function keepSchedules(
  deps: ReconcileDeps & { triggers: Pick<ScheduleTriggers, "claimRefill"> },
  { redisUrl, onError, say }: KeepSchedulesInput,
): { close(): Promise<void> } {
  const { triggers } = deps;
  const consumer = openScheduleConsumer({
    redisUrl,
    nextRun,
    handle: async (trigger) => void (await fireSchedule(deps, trigger)),
    onError,
  });
  const reconcile = async (): Promise<void> => {
    const reconciled = await reconcileSchedules(deps);
    if (Object.values(reconciled).some((count) => count > 0)) say(reconciled);
  };
  let isOwed = false;
  let reconciledAt = -Infinity;
  const look = async (): Promise<void> => {
    // The connection reports that Redis is away; overdue schedules fire all the same.
    const claimed = await triggers.claimRefill().catch(() => "away" as const);
    if (claimed === true) isOwed = true;
    const isDue = performance.now() - reconciledAt >= RECONCILE_EVERY_MS;
    if (!isDue && (!isOwed || claimed === "away")) return;
    reconciledAt = performance.now();
    await reconcile();
    isOwed = false;
  };
  const repeating = new Repeating("reconciling schedules", LOOK_EVERY_MS, look, deps.report, { firstMs: 0 });
  const release = async (): Promise<void> => void (await fireReleased(deps));
  const releasing = new Repeating("making waiting runs of schedules", RELEASE_EVERY_MS, release, deps.report);
  return {
    async close() {
      await Promise.all([consumer.close(), repeating.close(), releasing.close()]);
    },
  };
}
