import type { ScrubberOpening } from "@bulkhead/core";
import { isSoundJson } from "@bulkhead/sandbox/wire";
import { openMeans, type SharedMeans } from "./open-means.ts";
import { scrubJson } from "./scrub-json.ts";

/** A document, with all that a thread that knows nothing of its run needs to cover it. */
export interface DocumentJob extends ScrubberOpening {
  json: string;
  /** The rest of the time for the run's patterns; milliseconds. */
  patternsMs: number;
}

export interface DocumentDone {
  /** Null where it is the same text. */
  json: string | null;
  counts: ReadonlyMap<string, number>;
  patternsMs: number;
}

/** Null for a text that is no JSON, or nests too deep. */
export function coverDocument(
  shared: SharedMeans,
  { json, patternsMs, ...opening }: DocumentJob,
): DocumentDone | null {
  if (!isSoundJson(json)) return null;
  const { counts, patterns, meansOf } = openMeans(shared, opening, patternsMs);
  const covered = scrubJson(meansOf(opening.needles), json);
  return { json: covered === json ? null : covered, counts, patternsMs: patterns.leftMs };
}
