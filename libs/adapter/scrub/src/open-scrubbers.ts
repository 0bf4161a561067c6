import type { Needle, Scrubber, ScrubberOpening, Scrubbers } from "@bulkhead/domain";
import { ByteStream } from "./byte-stream.ts";
import { coverDocument } from "./cover-document.ts";
import type { DocumentThreads } from "./document-threads.ts";
import { LineStream } from "./line-stream.ts";
import { PatternCache } from "./pattern-cache.ts";
import { scrubJson } from "./scrub-json.ts";
import { scrubString, type ScrubMeans } from "./scrub-string.ts";
import { TableCache } from "./table-cache.ts";
import { ownMs, TenantPatterns } from "./tenant-patterns.ts";
import { ToldValues } from "./told-values.ts";

/**
 * One for a process; tables of equal needles are shared by the scrubbers that are in use at a time. Documents are covered in
 * the threads where there are some, else on this one.
 */
export function openScrubbers(nowMs = ownMs, threads: DocumentThreads | null = null): Scrubbers {
  const shared = { tables: new TableCache(), compiled: new PatternCache(), nowMs, threads };
  return { open: (opening) => openScrubber(shared, opening) };
}

interface Shared {
  tables: TableCache;
  compiled: PatternCache;
  nowMs: () => number;
  threads: DocumentThreads | null;
}

function openScrubber({ tables, compiled, nowMs, threads }: Shared, opening: ScrubberOpening): Scrubber {
  const counts = new Map<string, number>();
  const count = (name: string, times = 1): void => {
    if (times > 0) counts.set(name, (counts.get(name) ?? 0) + times);
  };
  const checked = opening.patterns.map((pattern) => compiled.get(pattern));
  const patterns = new TenantPatterns(checked, count, nowMs);
  const told = ToldValues.of(opening, tables);
  let needles: readonly Needle[] = opening.needles;
  // Built at the first look at something: most executions say little, some nothing.
  let built: ScrubMeans | null = null;
  const means = (): ScrubMeans =>
    (built ??= {
      tables: tables.get(needles),
      patterns,
      told,
      count,
    });
  return {
    add(more) {
      needles = [...needles, ...more];
      built = null;
    },
    text: (text) => scrubString(means(), text),
    json: (json) => scrubJson(means(), json),
    async document(tenantId, text) {
      const job = { json: text, needles, patterns: opening.patterns, patternsMs: patterns.leftMs };
      const covered = threads === null ? coverDocument(job) : await threads.cover(tenantId, job);
      if (covered === null) return null;
      patterns.spend(job.patternsMs - covered.patternsMs);
      for (const [name, times] of covered.counts) count(name, times);
      return { json: covered.json ?? text, counts: covered.counts };
    },
    lines: () => new LineStream(means),
    bytes: () => new ByteStream(means),
    counts,
  };
}
