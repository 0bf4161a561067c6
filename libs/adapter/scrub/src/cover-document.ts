import type { ScrubberOpening } from "@bulkhead/domain";
import { nestsTooDeep } from "@bulkhead/wire/sandbox";
import { PatternCache } from "./pattern-cache.ts";
import { scrubJson } from "./scrub-json.ts";
import { TableCache } from "./table-cache.ts";
import { ownMs, TenantPatterns } from "./tenant-patterns.ts";
import { ToldValues } from "./told-values.ts";

/** A document, with all that a thread that knows nothing of its run needs to cover it. */
export interface DocumentJob extends ScrubberOpening {
  json: string;
  /** What is left of the time of the run's patterns; milliseconds. */
  patternsMs: number;
}

export interface CoveredInThread {
  /** Null where it is the same text. */
  json: string | null;
  counts: ReadonlyMap<string, number>;
  patternsMs: number;
}

const tables = new TableCache();
const compiled = new PatternCache();

/** Null for what is no JSON, or nests too deep. */
export function coverDocument({ json, needles, patterns, patternsMs }: DocumentJob): CoveredInThread | null {
  if (!isSound(json)) return null;
  const counts = new Map<string, number>();
  const count = (name: string, times = 1): void => {
    if (times > 0) counts.set(name, (counts.get(name) ?? 0) + times);
  };
  const own = new TenantPatterns(
    patterns.map((pattern) => compiled.get(pattern)),
    count,
    ownMs,
    patternsMs,
  );
  const told = ToldValues.of({ needles, patterns }, tables);
  const covered = scrubJson({ tables: tables.get(needles), patterns: own, told, count }, json);
  return { json: covered === json ? null : covered, counts, patternsMs: own.leftMs };
}

function isSound(json: string): boolean {
  try {
    JSON.parse(json);
    return !nestsTooDeep(json);
  } catch {
    return false;
  }
}
