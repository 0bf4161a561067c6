import type { Needle, ScrubberOpening } from "@bulkhead/core";
import { PatternCache } from "./pattern-cache.ts";
import type { ScrubMeans } from "./scrub-string.ts";
import { TableCache } from "./table-cache.ts";
import { TenantPatterns } from "./tenant-patterns.ts";
import { ToldValues } from "./told-values.ts";

/** The caches that all executions of a thread share. */
export interface SharedMeans {
  tables: TableCache;
  compiled: PatternCache;
  nowMs: () => number;
}

/** The processor time of this thread, however busy the machine is. Milliseconds. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export const shareMeans = (nowMs = ownMs): SharedMeans => ({
  tables: new TableCache(),
  compiled: new PatternCache(),
  nowMs,
});

/** Builds everything that scrubs one execution's texts, and its counts; tables of needles are built at their first use. */
export function openMeans(
  { tables, compiled, nowMs }: SharedMeans,
  opening: ScrubberOpening,
  patternsMs?: number,
) {
  const counts = new Map<string, number>();
  const count = (name: string, times = 1): void => {
    if (times > 0) counts.set(name, (counts.get(name) ?? 0) + times);
  };
  const checked = opening.patterns.map((pattern) => compiled.get(pattern));
  const patterns = new TenantPatterns(checked, count, nowMs, patternsMs);
  const told = ToldValues.of(opening, tables);
  const meansOf = (needles: readonly Needle[]): ScrubMeans => ({
    tables: tables.get(needles),
    patterns,
    told,
    count,
  });
  return { counts, count, patterns, meansOf };
}
