import { useNavigate } from "@tanstack/react-router";
import type { Bar } from "../../data/histogram.ts";
import { Button } from "../../design/button.tsx";
import { BarTable } from "../executions/histogram.tsx";
import { HistogramChart } from "../executions/histogram-chart.tsx";
import type { UsageSearch } from "./usage-search.ts";

interface Props {
  bars: readonly Bar[];
  isTable: boolean;
  change: (next: UsageSearch) => void;
}

/** The days as bars, of which a press leads to the executions, and as a table. */
export function Histogram({ bars, isTable, change }: Props) {
  const navigate = useNavigate();
  const look = (from: number, to: number): void =>
    void navigate({
      to: "/executions",
      search: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    });
  return (
    <div className="rounded-lg border border-line bg-surface p-3">
      {isTable ? <BarTable bars={bars} /> : <HistogramChart bars={bars} choose={look} />}
      <div className="flex justify-end">
        <Button look="quiet" onClick={() => change({ chart: isTable ? undefined : "table" })}>
          {isTable ? "Show as a chart" : "Show as a table"}
        </Button>
      </div>
    </div>
  );
}
