import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";

export interface Column<Row> {
  name: string;
  /** As of `grid-template-columns`, such as `8rem` or `minmax(10rem, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Below which width of the window it is left out; what is nowhere else must always show. */
  from?: "sm" | "md" | "lg" | "xl";
  isNumber?: boolean;
  /** What stands in the head in the name's place. */
  head?: ReactNode;
}

interface Props<Row> {
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
const HIDDEN = {
  sm: "max-sm:hidden",
  md: "max-md:hidden",
  lg: "max-lg:hidden",
  xl: "max-xl:hidden",
} as const;
const FROM_PIXELS = { sm: 640, md: 768, lg: 1_024, xl: 1_280 } as const;

/** For the link in a row's first cell: the row as a whole is what is pressed, and `j` and `k` go from row to row. */
export const ROW_LINK = {
  "data-row": true,
  className: "block truncate font-medium after:absolute after:inset-0",
} as const;

/** Only the rows near the window are there: ten thousand scroll as ten do. */
export function Table<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, more = null, isFetching = false, isSelected } = props;
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const width = useWindowWidth();
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
  const template = columns
    .filter(({ from }) => from === undefined || width >= FROM_PIXELS[from])
    .map((column) => column.width)
    .join(" ");
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="rounded-lg border border-line bg-surface text-sm"
    >
      <Line template={template} className="border-b border-line text-xs font-medium text-ink-2" index={0}>
        {columns.map(({ name, head, from, isNumber }) => (
          <Cell key={name} role="columnheader" from={from} isNumber={isNumber}>
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
                {columns.map(({ name, cell, from, isNumber }) => (
                  <Cell key={name} role="cell" from={from} isNumber={isNumber}>
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
  from: Column<never>["from"];
  isNumber: boolean | undefined;
  children: ReactNode;
}

const Cell = ({ role, from, isNumber, children }: CellProps) => (
  <div
    role={role}
    className={classes("min-w-0 truncate", isNumber && "text-right tabular-nums", from && HIDDEN[from])}
  >
    {children}
  </div>
);

function useWindowWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useLayoutEffect(() => {
    const measure = (): void => setWidth(innerWidth);
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return width;
}
