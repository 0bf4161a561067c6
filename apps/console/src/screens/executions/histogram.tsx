import { useHistogram } from "../../data/execution-stats.ts";
import type { Asked } from "../../data/executions.ts";
import { type Bar, totalsOf } from "../../data/histogram.ts";
import { wordsOf } from "../../data/api.ts";
import { Button } from "../../design/button.tsx";
import { Skeleton } from "../../design/page-states.tsx";
import { Words } from "../../design/words.tsx";
import { count, duration } from "../../format/numbers.ts";
import { exactTime } from "../../format/times.ts";
import { type Changes, type ExecutionSearch, statusesOf } from "./execution-search.ts";
import { STATUS_LOOKS } from "../../run/execution-words.ts";
import { HistogramChart } from "./histogram-chart.tsx";

interface Props {
  asked: Asked;
  search: ExecutionSearch;
  change: (next: Changes) => void;
}

/** How many there were when, as a chart and as a table. */
export function Histogram({ asked, search, change }: Props) {
  const { data, error, refetch } = useHistogram(asked);
  const isTable = search.chart === "table";
  if (data === undefined)
    return (
      <div className="flex h-44 flex-col gap-2 pb-3">
        {error === null ? (
          <Skeleton className="h-32" />
        ) : (
          <p role="alert" className="text-sm text-ink-2">
            The chart could not be drawn. <Words text={wordsOf(error)} />{" "}
            <Button className="ml-2" onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        )}
      </div>
    );
  const choose = (from: number, to: number): void =>
    change({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), period: undefined });
  return (
    <section aria-label="Over time" className="pb-3">
      {isTable ? <BarTable bars={data.bars} /> : <HistogramChart bars={data.bars} choose={choose} />}
      <div className="mt-1 flex flex-wrap items-center gap-1">
        <Legend bars={data.bars} search={search} change={change} />
        <Button
          look="quiet"
          isSmall
          className="ml-auto"
          onClick={() => change({ chart: isTable ? undefined : "table" })}
        >
          {isTable ? "Show as a chart" : "Show as a table"}
        </Button>
      </div>
      {asked.filters.logs !== undefined && (
        <p className="text-xs text-ink-3">The chart counts all, whatever their logs say.</p>
      )}
    </section>
  );
}

/** Each status with its number; a press on one shows it alone, or all again. */
function Legend({ bars, search, change }: Omit<Props, "asked"> & { bars: readonly Bar[] }) {
  const chosen = statusesOf(search);
  return totalsOf(bars).map(([status, many]) => {
    const { name, dot } = STATUS_LOOKS[status];
    const isOn = chosen.length === 1 && chosen[0] === status;
    return (
      <button
        key={status}
        type="button"
        aria-pressed={isOn}
        onClick={() => change({ status: isOn ? undefined : status })}
        className="flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-ink-2 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
      >
        <span className={`size-2 rounded-full ${dot}`} aria-hidden />
        {name} <span className="font-semibold tabular-nums">{count(many)}</span>
      </button>
    );
  });
}

export function BarTable({ bars }: { bars: readonly Bar[] }) {
  const filled = bars.filter(({ total }) => total > 0).toReversed();
  const statuses = totalsOf(bars).map(([status]) => status);
  const cell = "px-3 py-1.5 text-right tabular-nums whitespace-nowrap";
  return (
    <div
      className="max-h-72 overflow-auto rounded-lg border border-line bg-surface"
      tabIndex={0}
      role="region"
      aria-label="Executions over time"
    >
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface text-xs text-ink-2">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              From
            </th>
            {[...statuses.map((status) => STATUS_LOOKS[status].name), "95 % within"].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {filled.map((bar) => (
            <tr key={bar.from}>
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {exactTime(new Date(bar.from))}
              </th>
              {statuses.map((status) => (
                <td key={status} className={cell}>
                  {count(bar.counts[status] ?? 0)}
                </td>
              ))}
              <td className={cell}>{bar.p95Ms === null ? "–" : duration(bar.p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {filled.length === 0 && <p className="px-3 pb-2 text-sm text-ink-3">There were none.</p>}
    </div>
  );
}
