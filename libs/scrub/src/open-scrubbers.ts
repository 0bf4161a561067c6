import type { Needle, Scrubber, ScrubberOpening, Scrubbers } from "@bulkhead/core";
import { ByteStream } from "./byte-stream.ts";
import { coverDocument } from "./cover-document.ts";
import type { DocumentThreads } from "./document-threads.ts";
import { LineStream } from "./line-stream.ts";
import { openMeans, shareMeans, type SharedMeans } from "./open-means.ts";
import { scrubJson } from "./scrub-json.ts";
import { scrubString, type ScrubMeans } from "./scrub-string.ts";

export interface OpenScrubbersOptions {
  /** The clock for the time of tenants' patterns; this thread's processor time by default. */
  nowMs?: () => number;
  /** The threads that cover documents; this thread does by default. */
  threads?: DocumentThreads;
}

/** One for a process; tables of equal needles are shared by the scrubbers that are in use at a time. */
export function openScrubbers({ nowMs, threads }: OpenScrubbersOptions = {}): Scrubbers {
  const shared = shareMeans(nowMs);
  return { open: (opening) => openScrubber(shared, threads, opening) };
}

function openScrubber(
  shared: SharedMeans,
  threads: DocumentThreads | undefined,
  opening: ScrubberOpening,
): Scrubber {
  const { counts, count, patterns, meansOf } = openMeans(shared, opening);
  let needles: readonly Needle[] = opening.needles;
  // Built at the first look at something: most executions say little, some nothing.
  let built: ScrubMeans | null = null;
  const means = (): ScrubMeans => (built ??= meansOf(needles));
  return {
    add(more) {
      needles = [...needles, ...more];
      built = null;
    },
    text: (text) => scrubString(means(), text),
    json: (json) => scrubJson(means(), json),
    async document(tenantId, json) {
      const job = { json, needles, patterns: opening.patterns, patternsMs: patterns.leftMs };
      const done = threads ? await threads.cover(tenantId, job) : coverDocument(shared, job);
      if (done === null) return null;
      patterns.spend(job.patternsMs - done.patternsMs);
      for (const [name, times] of done.counts) count(name, times);
      return { json: done.json ?? json, counts: done.counts };
    },
    lines: () => new LineStream(means),
    bytes: () => new ByteStream(means),
    counts,
  };
}
