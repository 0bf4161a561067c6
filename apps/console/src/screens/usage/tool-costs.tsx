import type { UsageRow } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { UsageTotal } from "../../data/usage.ts";
import { ChartColumn } from "../../design/icons.tsx";
import { Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Words } from "../../design/words.tsx";
import { bytes, count, duration, percent } from "../../format/numbers.ts";
import { shareOf } from "./usage-search.ts";

/** What each tool took of the period's work, the dearest first. */
export function ToolCosts({ rows, total }: { rows: readonly UsageRow[]; total: UsageTotal }) {
  if (rows.length === 0)
    return (
      <Picture icon={ChartColumn} title="Nothing ran in this time">
        What tools use stands here as soon as one is called.
      </Picture>
    );
  return (
    <Table
      label="Cost by tool"
      columns={columnsOf(total)}
      rows={rows}
      keyOf={({ toolId }) => toolId ?? "none"}
    />
  );
}

const failedOf = ({ byStatus: { failed = 0, timed_out = 0, lost = 0 } }: UsageRow): number =>
  failed + timed_out + lost;

const columnsOf = (total: UsageTotal): readonly Column<UsageRow>[] => [
  {
    name: "Tool",
    width: "minmax(7rem, 2fr)",
    cell: ({ toolId, toolName }) =>
      toolId ? (
        <Link to="/tools/$toolId" params={{ toolId }} {...ROW_LINK}>
          <Words text={toolName ?? toolId} />
        </Link>
      ) : (
        <span className="text-ink-2" title="Dry runs, scripts and built-in tools">
          Other runs
        </span>
      ),
  },
  { name: "Executions", width: "5.5rem", isNumber: true, cell: ({ executions }) => count(executions) },
  {
    name: "Failed",
    width: "5rem",
    isNumber: true,
    from: "sm",
    cell: (row) => percent(shareOf(failedOf(row), row.executions)),
  },
  {
    name: "Slots",
    width: "4.5rem",
    isNumber: true,
    cell: ({ workerMs }) => (
      <span title="For how long slots of workers were taken">{duration(workerMs)}</span>
    ),
  },
  {
    name: "Of all",
    width: "5rem",
    isNumber: true,
    from: "md",
    cell: ({ workerMs }) => percent(shareOf(workerMs, total.workerMs)),
  },
  { name: "Processor", width: "6rem", isNumber: true, from: "xl", cell: ({ cpuMs }) => duration(cpuMs) },
  {
    name: "Network",
    width: "6rem",
    isNumber: true,
    from: "xl",
    cell: ({ bytesIn, bytesOut }) => bytes(bytesIn + bytesOut),
  },
];
