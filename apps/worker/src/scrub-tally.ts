import type { ScrubCountStore } from "@bulkhead/core";
import type { Report } from "@bulkhead/executions";
import { Repeating } from "./repeating.ts";

const WRITE_EVERY_MS = 5_000;

export interface ScrubTallyDeps {
  scrubCounts: Pick<ScrubCountStore, "add">;
  report: Report;
}

/**
 * Counts covered values, by tenant and kind, and writes the counts every few seconds and when it is closed. Counts that
 * could not be written are written with the next ones; at the close they are lost.
 */
export function openScrubTally({ scrubCounts, report }: ScrubTallyDeps) {
  let counted = new Map<string, Map<string, number>>();
  const tally = (tenantId: string, counts: ReadonlyMap<string, number>): void => {
    if (counts.size === 0) return;
    const known = counted.get(tenantId) ?? new Map<string, number>();
    for (const [kind, count] of counts) known.set(kind, (known.get(kind) ?? 0) + count);
    counted.set(tenantId, known);
  };
  const write = async (): Promise<void> => {
    const written = counted;
    counted = new Map();
    for (const [tenantId, counts] of written) {
      try {
        await scrubCounts.add(tenantId, counts);
        written.delete(tenantId);
      } catch (error) {
        for (const [unwritten, left] of written) tally(unwritten, left);
        throw error;
      }
    }
  };
  const repeating = new Repeating("writing the counts of covered values", WRITE_EVERY_MS, write, report);
  return {
    tally,
    close: async (): Promise<void> => {
      await repeating.close();
      await write().catch((error: unknown) => report("writing the counts of covered values failed", error));
    },
  };
}
