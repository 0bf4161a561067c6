import type { Tool } from "@bulkhead/client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { Selected } from "../../design/use-selection.ts";
import { ToolCard } from "./tool-card.tsx";

interface Props {
  tools: readonly Tool[];
  isList: boolean;
  /** Fetches the next page; null: there is none. */
  more: (() => void) | null;
  isFetching: boolean;
  selected: Selected<Tool>;
}

const CARD_WIDTH_MIN = 304;
const CARD_HEIGHT = 152;
const LINE_HEIGHT = 60;
const GAP = 12;
/** The next page is fetched once so many rows are left below the window. */
const ROWS_AHEAD = 6;

/** Only the rows near the window are there: ten thousand tools scroll as ten do. */
export function ToolGrid({ tools, isList, more, isFetching, selected }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [{ columns, top }, setShape] = useState({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void =>
      setShape({
        columns: isList ? 1 : Math.max(1, Math.floor((element.clientWidth + GAP) / (CARD_WIDTH_MIN + GAP))),
        top: element.offsetTop,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isList]);
  const gap = isList ? 0 : GAP;
  const height = isList ? LINE_HEIGHT : CARD_HEIGHT;
  const rows = Math.ceil(tools.length / columns);
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height,
    gap,
    overscan: 4,
    scrollMargin: top,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    if (more !== null && !isFetching && last >= rows - ROWS_AHEAD) more();
  }, [more, isFetching, last, rows]);
  return (
    <div className="p-4 md:px-6">
      <div
        ref={place}
        role="list"
        aria-label="Tools"
        className={isList ? "relative overflow-hidden rounded-lg border border-line bg-surface" : "relative"}
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ index, start }) => (
          <div
            key={index}
            className="absolute inset-x-0 grid"
            style={{
              top: start - virtual.options.scrollMargin,
              height,
              gap,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {tools.slice(index * columns, (index + 1) * columns).map((tool) => (
              <ToolCard
                key={tool.id}
                tool={tool}
                isLine={isList}
                isSelected={selected.has(tool.id)}
                select={(isRange) => selected.toggle(tool, isRange)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
