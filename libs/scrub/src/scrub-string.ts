import { Coverage } from "./coverage.ts";
import { scanPatterns, VALUE } from "./pattern-scan.ts";
import type { TenantPatterns } from "./tenant-patterns.ts";
import type { ToldValues } from "./told-values.ts";
import { ValueScan, type ValueTables } from "./value-scan.ts";

/** The tools for scrubbing one execution's texts. */
export interface ScrubMeans {
  tables: ValueTables;
  patterns: TenantPatterns;
  /** The values that are covered in part where they were cut off; null: no value is. */
  told: ToldValues | null;
  count: (name: string, times?: number) => void;
}

/**
 * A whole text: first values, then the tenant's patterns, then the platform's. No step finds anything new in a later
 * step's output.
 */
export const scrubString = (means: ScrubMeans, text: string): string =>
  coverPatterns(means, means.patterns.cover(coverValues(means, text)));

export function coverValues({ tables, count }: ScrubMeans, text: string): string {
  const scan = new ValueScan(tables, (place) => text.charCodeAt(place));
  scan.readText(text);
  scan.end();
  count(VALUE, scan.covered.count);
  return scan.covered.applyTo(text);
}

function coverPatterns({ told, count }: ScrubMeans, text: string): string {
  const covered = new Coverage();
  scanPatterns({ text, isOpen: false, cuts: [] }, told?.pieces ?? null, covered, count);
  return covered.applyTo(text);
}
