import { STATS_BUCKETS_MAX, STATS_BUCKET_MS, type StatsBucketSize } from "@bulkhead/core";
import { invalid } from "../usage/usage-period.ts";

/** How many buckets before the end a period begins that says nothing of its beginning. */
const BUCKETS_DEFAULT = 24;

/** Throws `request.invalid`, which names the field, for a period that has ended before it begins or has too many buckets. */
export function statsPeriod(
  asked: { from?: string | undefined; to?: string | undefined; bucket: StatsBucketSize },
  now: Date,
): { from: Date; to: Date } {
  const size = STATS_BUCKET_MS[asked.bucket];
  const floor = (ms: number): number => Math.floor(ms / size) * size;
  const to = asked.to === undefined ? now : new Date(asked.to);
  const from =
    asked.from === undefined
      ? new Date(Math.max(0, floor(to.getTime() - (BUCKETS_DEFAULT - 1) * size)))
      : new Date(asked.from);
  if (to < from) throw invalid("from", "must not be in the future");
  const buckets = Math.ceil((to.getTime() - floor(from.getTime())) / size);
  if (buckets > STATS_BUCKETS_MAX)
    throw invalid(
      "bucket",
      `must leave ${STATS_BUCKETS_MAX} buckets at most, and there are ${buckets}; ask for longer ones, or for a shorter period (from, to)`,
    );
  return { from, to };
}
