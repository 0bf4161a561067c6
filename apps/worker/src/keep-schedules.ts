import { openScheduleConsumer, openScheduleTriggers } from "@bulkhead/schedule-trigger";
import {
  fireSchedule,
  nextRun,
  reconcileSchedules,
  type ReconcileDeps,
  type Reconciled,
} from "@bulkhead/schedules";
import { Repeating } from "./repeating.ts";

const RECONCILE_EVERY_MS = 30_000;

export interface KeepSchedulesInput {
  redisUrl: string;
  onError: (error: unknown) => void;
  /** Hears what was put right, since in a healthy system that is nothing. */
  say: (reconciled: Reconciled) => void;
}

/** Runs what schedules have planned when their triggers come, and compares both, at once and every half minute. */
export async function keepSchedules(
  deps: Omit<ReconcileDeps, "triggers">,
  { redisUrl, onError, say }: KeepSchedulesInput,
): Promise<{ close(): Promise<void> }> {
  const triggers = await openScheduleTriggers({ redisUrl, nextRun, onError });
  const consumer = openScheduleConsumer({
    redisUrl,
    nextRun,
    handle: async (trigger) => void (await fireSchedule(deps, trigger)),
    onError,
  });
  const reconcile = async (): Promise<void> => {
    const reconciled = await reconcileSchedules({ ...deps, triggers });
    if (Object.values(reconciled).some((count) => count > 0)) say(reconciled);
  };
  const repeating = new Repeating("reconciling schedules", RECONCILE_EVERY_MS, reconcile, deps.report, {
    firstMs: 0,
  });
  return {
    async close() {
      await Promise.all([consumer.close(), repeating.close()]);
      await triggers.close();
    },
  };
}
