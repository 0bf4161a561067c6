import type { ExecutionFilter } from "./execution-filter.ts";
import type { ExecutionStatus } from "./execution.ts";

/** The lengths of buckets, in milliseconds. They begin at whole minutes, hours and days of UTC. */
export const STATS_BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type StatsBucketSize = keyof typeof STATS_BUCKET_MS;

/** The most buckets of one answer; with groups each may be there once a group. */
export const STATS_BUCKETS_MAX = 500;

export const STATS_GROUPS = ["status", "tool", "source"] as const;
export type StatsGroup = (typeof STATS_GROUPS)[number];

/** The most groups of one answer: those with the most executions; the others are added up. */
export const STATS_GROUPS_MAX = 20;

/** By how much a percentile may be off, as a share of it; durations below 50 ms are exact to the millisecond. */
export const STATS_ERROR_MAX = 0.01;

export interface StatsQuestion {
  filter: Omit<ExecutionFilter, "from" | "to">;
  /** Inclusive; when executions were accepted. */
  from: Date;
  /** Exclusive; at most `STATS_BUCKETS_MAX` buckets later. */
  to: Date;
  bucket: StatsBucketSize;
  groupBy: StatsGroup | null;
}

/** One bucket, or one group of it, in which something was accepted. */
export interface StatsBucket {
  /** When it begins. */
  at: Date;
  /** A status, a source, or a tool's id (of a tool that is not stored its name); null: the groups that were added up, or all. */
  key: string | null;
  /** The tool's name as it is by now, else as it was. */
  name: string | null;
  /** A missing status counts zero. */
  counts: Partial<Record<ExecutionStatus, number>>;
  /** Of the times from acceptance to the end of those that have ended; milliseconds, null where none has. */
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}

export interface ExecutionStats {
  /**
   * In the order of time, then of the groups' keys; null if `signal` fired first: then the work has stopped. It reads an
   * index entry of every execution of the period, so tenants take turns: throws `usage.busy`, `usage.too_much` and
   * `service.unavailable` as `UsageStore.sum` does.
   */
  count(tenantId: string, question: StatsQuestion, signal: AbortSignal): Promise<StatsBucket[] | null>;
}
