import type { Period } from "../../data/usage-days.ts";
import { chosen, oneOf } from "../../format/address.ts";

/** What of the screen stands in its address. */
export interface UsageSearch {
  /** Left out: a week. */
  period?: "day" | "month" | undefined;
  /** The table behind the chart is shown. */
  chart?: "table" | undefined;
}

export const PERIODS = {
  day: { days: 1, words: "Today (UTC)" },
  week: { days: 7, words: "Last 7 days" },
  month: { days: 30, words: "Last 30 days" },
} as const;

export const readUsageSearch = (raw: Record<string, unknown>): UsageSearch =>
  chosen<UsageSearch>({
    period: oneOf(["day", "month"], raw["period"]),
    chart: oneOf(["table"], raw["chart"]),
  });

export const periodOf = ({ period }: UsageSearch): Period => ({ days: PERIODS[period ?? "week"].days });

/** The part of a whole, where there is one. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
