import type { FormatCallback } from "html-to-text";
import { LIST_START_MAX } from "./bounds.ts";

/** A numbered list in decimals from a number within `LIST_START_MAX`, whatever the page asks for. */
export const boundedList: FormatCallback = (list, walk, builder, options) => {
  const start = Math.trunc(Number(list.attribs?.["start"] ?? 1)) || 1;
  const within = Math.max(-LIST_START_MAX, Math.min(LIST_START_MAX, start));
  // The library's Roman numbers throw from 10,000 on.
  const bounded = { ...list, attribs: { start: String(within) } };
  builder.options.formatters?.["orderedList"]?.(bounded, walk, builder, options);
};

/** A row as a line, its cells apart; it takes no notice of how many columns and rows a cell claims. */
export const tableRow: FormatCallback = (row, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  const cells = (row.children ?? []).filter(({ name }) => name === "td" || name === "th");
  for (const [at, cell] of cells.entries()) {
    if (at > 0) builder.addInline(" | ");
    walk(cell.children ?? [], builder);
  }
  builder.closeBlock({ trailingLineBreaks: 1 });
};
