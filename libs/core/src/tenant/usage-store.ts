import type { ExecutionStatus } from "../execution/execution.ts";

/** The longest period that one question may be about. */
export const USAGE_DAYS_MAX = 31;

/** The groupings of executions; days are in UTC and those of acceptance. */
export const USAGE_GROUPS = ["day", "tool"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The position at which a page goes on: the last group of the page before. A part that doesn't apply is empty. */
export interface UsageMark {
  day: string;
  toolId: string;
}

export interface UsageQuestion {
  /** Inclusive; when executions were accepted. */
  from: Date;
  /** Exclusive; at most `USAGE_DAYS_MAX` later. */
  to: Date;
  by: readonly UsageGroup[];
  toolId?: string;
  toolName?: string;
  /** The count of groups. */
  limit: number;
  after?: UsageMark;
}

/** The usage of executions, including tries before their last. */
export interface UsageSum {
  executions: number;
  /** A missing status counts zero. */
  byStatus: Partial<Record<ExecutionStatus, number>>;
  /** Tries that a worker began. */
  attempts: number;
  /** Counts finished tries only, like all fields below. */
  cpuMs: number;
  wallMs: number;
  /** For how long workers' slots were taken; a tool that another one calls runs in its caller's. */
  workerMs: number;
  /** The highest. */
  memoryPeakMib: number;
  networkRequests: number;
  bytesIn: number;
  bytesOut: number;
}

export interface UsageRow extends UsageSum {
  /** As in 2026-01-31; empty if days are not grouped. */
  day: string;
  /** Null for dry runs, and if tools are not grouped. */
  toolId: string | null;
  /** The tool's latest name in the period. */
  toolName: string | null;
}

export interface UsagePage {
  rows: UsageRow[];
  total: UsageSum;
  more: boolean;
}

export interface UsageStore {
  /**
   * Groups by day, then tool's id, and the sum of the whole period whatever the page; null if `signal` fired first: then
   * the work has stopped. It reads every execution of the period, so tenants take turns: throws `usage.busy` if a tenant
   * asks too much at a time, `usage.too_much` if it takes too long, `service.unavailable` if too many tenants ask.
   */
  sum(tenantId: string, question: UsageQuestion, signal: AbortSignal): Promise<UsagePage | null>;
}
