import type { WorkerDirectory, WorkerFacts } from "@bulkhead/core";
import type { Report } from "@bulkhead/executions";
import type { Closable } from "@bulkhead/process";
import { Repeating } from "./repeating.ts";

const ANNOUNCE_EVERY_MS = 3_000;
/** Three tries before a worker that lives vanishes from the list. */
const LISTED_MS = ANNOUNCE_EVERY_MS * 4;

export interface AnnounceDeps {
  directory: Pick<WorkerDirectory, "announce" | "withdraw">;
  /** The worker's facts at this moment; settles within seconds. */
  facts: () => Promise<WorkerFacts>;
  workerId: string;
  report: Report;
}

/**
 * Tells the directory of this worker, from now on and every few seconds until it is closed. A directory that can't be
 * reached is reported and changes nothing else.
 */
export function announceWorker({ directory, facts, workerId, report }: AnnounceDeps): Closable {
  const announce = async (): Promise<void> => {
    const outcome = await directory.announce(await facts(), LISTED_MS);
    if (outcome === "full") throw new Error("the directory of workers is full");
  };
  const repeating = new Repeating("announcing this worker", ANNOUNCE_EVERY_MS, announce, report, {
    firstMs: 0,
  });
  return {
    /** Takes the worker off the list; where that fails its entry runs out by itself. */
    async close(): Promise<void> {
      await repeating.close();
      await directory
        .withdraw(workerId)
        .catch((error: unknown) => report("withdrawing this worker failed", error));
    },
  };
}
