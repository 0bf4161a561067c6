import type { ExecutionSummary } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { type Column, ROW_LINK } from "../../design/table.tsx";
import type { Selected } from "../../design/use-selection.ts";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { bytes, duration } from "../../format/numbers.ts";
import { COLUMNS, type ColumnName } from "./columns.ts";
import { shownError } from "../../run/error-words.ts";
import { SOURCE_NAMES, STATUS_LOOKS } from "../../run/execution-words.ts";
import { RunBadge } from "../../run/run-badge.tsx";

type Row = ExecutionSummary;

const NONE = <span className="text-ink-3">–</span>;

const CELLS: Readonly<Record<ColumnName, Pick<Column<Row>, "width" | "cell" | "isNumber" | "from">>> = {
  duration: { width: "5.5rem", isNumber: true, from: "md", cell: (row) => ms(row.durationMs) },
  wait: { width: "5.5rem", isNumber: true, from: "md", cell: (row) => ms(waitMs(row)) },
  source: { width: "6.5rem", from: "lg", cell: ({ source }) => SOURCE_NAMES[source] },
  agent: { width: "8rem", from: "lg", cell: ({ context }) => text(context.agentId) },
  key: { width: "9rem", from: "lg", cell: ({ keyId }) => text(keyId, "font-mono text-xs") },
  attempts: { width: "3.5rem", isNumber: true, from: "md", cell: ({ attempts }) => attempts },
  code: {
    width: "11rem",
    from: "md",
    cell: ({ error }) => text(error && shownError(error).code, "font-mono text-xs"),
  },
  argumentsBytes: {
    width: "5.5rem",
    isNumber: true,
    from: "lg",
    cell: (row) => (row.erased?.includes("arguments") === true ? "erased" : bytes(row.argumentsBytes)),
  },
  resultBytes: {
    width: "5.5rem",
    isNumber: true,
    from: "lg",
    cell: (row) => (row.erased?.includes("result") === true ? "erased" : bytes(row.resultBytes)),
  },
};

const ms = (value: number | undefined) => (value === undefined ? NONE : duration(value));

const text = (value: string | undefined, className?: string) =>
  value === undefined ? (
    NONE
  ) : (
    <span className={className} title={wordsLine(value)}>
      <Words text={value} />
    </span>
  );

/** From acceptance to the first run. */
const waitMs = ({ createdAt, startedAt }: Row): number | undefined =>
  startedAt === undefined ? undefined : Math.max(0, Date.parse(startedAt) - Date.parse(createdAt));

/** The list's columns: those that always stand there, and those that a person chose. */
export const columnsOf = (names: readonly ColumnName[], selected: Selected<Row> | null): Column<Row>[] => [
  ...(selected === null ? [] : [selectColumn(selected)]),
  {
    name: "Status",
    width: "9.5rem",
    from: "sm",
    cell: ({ status }) => <RunBadge status={status} />,
  },
  {
    name: "Tool",
    width: "minmax(8rem, 1fr)",
    cell: (row) => (
      <>
        <Link
          to="/executions/$executionId"
          params={{ executionId: row.id }}
          {...ROW_LINK}
          className={`${ROW_LINK.className} font-mono`}
        >
          <Words text={row.toolName} />
        </Link>
        <span className="flex items-center gap-2 text-xs text-ink-3 sm:hidden">
          <RunBadge status={row.status} /> <When at={row.createdAt} />
        </span>
      </>
    ),
  },
  { name: "When", width: "8.5rem", from: "sm", cell: ({ createdAt }) => <When at={createdAt} /> },
  ...names.map((name) => ({ name: COLUMNS[name], ...CELLS[name] })),
];

// Above the row's link, which lies over all of the row.
const BOX = "relative z-10 block size-4 accent-accent";

const selectColumn = ({ has, toggle, isAll, toggleAll }: Selected<Row>): Column<Row> => ({
  name: "Select",
  width: "1rem",
  head: (
    <input
      type="checkbox"
      className={BOX}
      aria-label="Select all that are loaded"
      checked={isAll}
      onChange={toggleAll}
    />
  ),
  cell: (row) => (
    <input
      type="checkbox"
      className={BOX}
      aria-label={`Select ${wordsLine(row.toolName)}, ${STATUS_LOOKS[row.status].name.toLowerCase()}`}
      checked={has(row.id)}
      onChange={({ nativeEvent }) => toggle(row, (nativeEvent as PointerEvent).shiftKey)}
    />
  ),
});

/** So wide the list is at least, in rem, so that no column is crushed; wider than its place, it scrolls. */
export const widthOf = (columns: readonly Column<Row>[]): number =>
  columns.reduce((sum, { width }) => sum + Number(/[\d.]+/.exec(width)?.[0] ?? 8) + 1, 2);
