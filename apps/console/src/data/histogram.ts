import type { ExecutionSummary, StatsBucket } from "@bulkhead/client";

export type Status = ExecutionSummary["status"];

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const SIZES = ["minute", "hour", "day"] as const;
/** So many of the server's buckets one bar may stand for, so that bars begin at round times. */
const PER_BAR = { minute: [1, 2, 5, 10], hour: [1, 2, 3, 6], day: [1, 7, 30] } as const;
/** The server answers 500; the first may be cut. */
const BUCKETS_MAX = 499;
const BARS_MAX = 96;

/** How a stretch of time is cut into bars. */
export interface Span {
  bucket: (typeof SIZES)[number];
  /** The first bar's beginning, and the last one's end; milliseconds of the epoch. */
  from: number;
  to: number;
  barMs: number;
}

export interface Bar {
  from: number;
  to: number;
  counts: Partial<Record<Status, number>>;
  total: number;
  /** Of one bucket; of several together it can't be told. */
  p95Ms: number | null;
}

/** The finest bars that the server tells and the eye parts. */
export function spanOf(from: number, to: number): Span {
  const bucket = SIZES.find((size) => (to - from) / MS[size] <= BUCKETS_MAX) ?? "day";
  const size = MS[bucket];
  const per =
    PER_BAR[bucket].find((many) => (to - from) / (size * many) <= BARS_MAX) ?? PER_BAR[bucket].at(-1) ?? 1;
  const barMs = size * per;
  const begin = Math.floor(from / barMs) * barMs;
  return { bucket, from: begin, to: Math.max(begin + barMs, Math.ceil(to / barMs) * barMs), barMs };
}

/** One bar after another, those in which nothing was accepted included. */
export function barsOf(buckets: readonly StatsBucket[], { from, to, barMs, bucket }: Span): Bar[] {
  const bars: Bar[] = Array.from({ length: Math.round((to - from) / barMs) }, (_, index) => ({
    from: from + index * barMs,
    to: from + (index + 1) * barMs,
    counts: {},
    total: 0,
    p95Ms: null,
  }));
  for (const { at, counts, p95Ms } of buckets) {
    const bar = bars[Math.floor((Date.parse(at) - from) / barMs)];
    if (bar === undefined) continue;
    for (const [status, count] of Object.entries(counts) as [Status, number][]) {
      bar.counts[status] = (bar.counts[status] ?? 0) + count;
      bar.total += count;
    }
    if (barMs === MS[bucket]) bar.p95Ms = p95Ms;
  }
  return bars;
}

/** All bars together, the most frequent status first. */
export function totalsOf(bars: readonly Bar[]): [status: Status, count: number][] {
  const totals = new Map<Status, number>();
  for (const { counts } of bars)
    for (const [status, count] of Object.entries(counts) as [Status, number][])
      totals.set(status, (totals.get(status) ?? 0) + count);
  return [...totals].sort(([, a], [, b]) => b - a);
}

/** The next round number that a scale can end at: 1, 2, 5, 10, 20 … */
export function scaleEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most) ?? most;
}
