import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { type Asked, filtersNow, LOOK_AGAIN } from "./executions.ts";
import { useHeard } from "./live.ts";
import { barsOf, spanOf } from "./histogram.ts";

/** The chart is drawn again so often while executions come and go: counting is work for the server. */
const COUNT_AGAIN_MS = 4_000;
/** How far back the chart goes where the list has no beginning. */
const SPAN_MS_MAX = 90 * 86_400_000;

/** How many executions that match there were over time. Words in logs are not counted by: the server can't. */
export function useHistogram(asked: Asked) {
  const { logs: _, ...filters } = asked.filters;
  const counted: Asked = { ...asked, filters };
  const found = useQuery({
    ...LOOK_AGAIN,
    queryKey: ["execution-stats", "histogram", counted],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const { from, to, ...others } = filtersNow(counted, now);
      const end = Math.min(now, to === undefined ? now : Date.parse(to));
      const begin = Math.min(end, from === undefined ? end - SPAN_MS_MAX : Date.parse(from));
      const span = spanOf(begin, end);
      const period = { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
      const { buckets } = await api.executions.stats(
        { ...others, ...period, bucket: span.bucket },
        { signal },
      );
      return { span, bars: barsOf(buckets, span) };
    },
    placeholderData: keepPreviousData,
  });
  useHeard(async (heard) => {
    if (heard.some((one) => one === null || one.event.startsWith("execution."))) await found.refetch();
  }, COUNT_AGAIN_MS);
  return found;
}
