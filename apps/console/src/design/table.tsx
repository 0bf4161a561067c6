import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";

export interface Column<Row> {
  name: string;
  /** As of `grid-template-columns`, such as `8rem` or `minmax(10rem, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Below which width of the table it is left out; what is nowhere else must always show. */
  from?: "sm" | "md" | "lg" | "xl";
  isNumber?: boolean;
  /** What stands in the head in the name's place. */
  head?: ReactNode;
}

export interface TableProps<Row> {
  /** What it is a table of. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Fetches the next page; null: there is none. */
  more?: (() => void) | null;
  isFetching?: boolean;
  isSelected?: (row: Row) => boolean;
}

const ROW_HEIGHT = 44;
/** The next page is fetched once so many rows are left below the window. */
const ROWS_AHEAD = 20;
/** Widths of a table, not of the window, since something may stand beside it. */
const FROM_PIXELS = { sm: 440, md: 490, lg: 720, xl: 960 } as const;

/** For the link in a row's first cell: the row as a whole is what is pressed, and `j` and `k` go from row to row. */
export const ROW_LINK = {
  "data-row": true,
  className: "block truncate font-medium after:absolute after:inset-0",
} as const;

/** Only the rows near the window are there: ten thousand scroll as ten do. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, more = null, isFetching = false, isSelected } = props;
  const table = useRef<HTMLDivElement>(null);
  const width = useWidth(table);
  const columns = props.columns.filter(({ from }) => from === undefined || width >= FROM_PIXELS[from]);
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // Whatever stands above it may have grown: each time, since the same number draws nothing anew.
  useLayoutEffect(() => setTop(place.current?.offsetTop ?? 0));
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: top,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    if (more !== null && !isFetching && last >= rows.length - ROWS_AHEAD) more();
  }, [more, isFetching, last, rows.length]);
  const template = columns.map((column) => column.width).join(" ");
  return (
    <div
      ref={table}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="rounded-lg border border-line bg-surface text-sm"
    >
      <Line template={template} className="border-b border-line text-xs font-medium text-ink-2" index={0}>
        {columns.map(({ name, head, isNumber }) => (
          <Cell key={name} role="columnheader" isNumber={isNumber}>
            {head ?? name}
          </Cell>
        ))}
      </Line>
      <div ref={place} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <Line
                key={keyOf(row)}
                template={template}
                index={index + 1}
                top={start - virtual.options.scrollMargin}
                className={classes(
                  "absolute inset-x-0 border-b border-line last:border-b-0 hover:bg-hover",
                  isSelected?.(row) === true && "bg-accent-soft",
                )}
              >
                {columns.map(({ name, cell, isNumber }) => (
                  <Cell key={name} role="cell" isNumber={isNumber}>
                    {cell(row)}
                  </Cell>
                ))}
              </Line>
            )
          );
        })}
      </div>
    </div>
  );
}

interface LineProps {
  template: string;
  index: number;
  className: string;
  top?: number;
  children: ReactNode;
}

const Line = ({ template, index, className, top, children }: LineProps) => (
  <div
    role="row"
    aria-rowindex={index + 1}
    className={classes("grid items-center gap-4 px-3.5", className)}
    style={{ gridTemplateColumns: template, height: top === undefined ? 36 : ROW_HEIGHT, top }}
  >
    {children}
  </div>
);

interface CellProps {
  role: "cell" | "columnheader";
  isNumber: boolean | undefined;
  children: ReactNode;
}

const Cell = ({ role, isNumber, children }: CellProps) => (
  <div role={role} className={classes("min-w-0 truncate", isNumber && "text-right tabular-nums")}>
    {children}
  </div>
);

/** Pixels of an element, as it stands now. */
function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (element === null) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
