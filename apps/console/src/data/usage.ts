import type { Usage, UsageRow } from "@bulkhead/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { beginOf, byCost, dayBars, type Period } from "./usage-days.ts";

/** Rows of a table of tools; a tenant with more sees those of the pages before. */
const TOOL_ROWS_MAX = 2_000;

/** What the period used: in all and by day, and by tool, the dearest first. */
export const useUsage = (period: Period) =>
  useQuery({
    queryKey: ["usage", period.days],
    queryFn: async ({ signal }) => {
      const now = new Date();
      const asked = { from: beginOf(period, now).toISOString(), to: now.toISOString(), limit: 100 } as const;
      const [days, tools] = await Promise.all([
        api.usage({ ...asked, groupBy: "day" }, { signal }),
        collect(api.usage({ ...asked, groupBy: "tool" }, { signal })),
      ]);
      return { total: days.total, bars: dayBars(days.usage, period, now), tools: byCost(tools) };
    },
    staleTime: 0,
  });

async function collect(rows: AsyncIterable<UsageRow>): Promise<UsageRow[]> {
  const all: UsageRow[] = [];
  for await (const row of rows) {
    all.push(row);
    if (all.length === TOOL_ROWS_MAX) break;
  }
  return all;
}

export type UsageTotal = Usage["total"];

/** What waits and runs now, and the tenant's part of the workers; looked at again as executions begin and end. */
export const useLoad = () =>
  useQuery({ queryKey: ["executions", "load"], queryFn: ({ signal }) => api.load({ signal }) });
