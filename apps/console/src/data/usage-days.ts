import type { UsageRow } from "@bulkhead/client";
import type { Bar } from "./histogram.ts";

const DAY_MS = 86_400_000;

export interface Period {
  /** Days of UTC, as usage is kept; the last one is today. */
  days: 1 | 7 | 30;
}

/** The beginning of a period's first day. */
export const beginOf = ({ days }: Period, now: Date): Date =>
  new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS);

/** One bar a day, days without any included. */
export function dayBars(rows: readonly UsageRow[], { days }: Period, now: Date): Bar[] {
  const first = beginOf({ days }, now).getTime();
  const byDay = new Map(rows.map((row) => [Date.parse(`${row.day}T00:00:00Z`), row]));
  return Array.from({ length: days }, (_, index) => {
    const from = first + index * DAY_MS;
    const row = byDay.get(from);
    return { from, to: from + DAY_MS, counts: row?.byStatus ?? {}, total: row?.executions ?? 0, p95Ms: null };
  });
}

/** A slot is what a tool costs others, so the time that slots were taken ranks them. */
export const byCost = (rows: readonly UsageRow[]): UsageRow[] =>
  rows.toSorted((a, b) => b.workerMs - a.workerMs || b.executions - a.executions);
