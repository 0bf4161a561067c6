import stringWidth from "fast-string-width";
import { harmlessLine } from "@bulkhead/core/harmless";

/** A column of a table; `flexible` ones are cut with `…` where the terminal is too narrow, widest first. */
export interface Column {
  title: string;
  align?: "right";
  flexible?: true;
}

const GAP = "  ";
const ELLIPSIS = "…";
/** A flexible column keeps this many cells, however narrow the terminal is. */
const COLUMN_CELLS_MIN = 8;

/** A cell of a terminal's table is looked at for so many characters; no terminal is wider. */
const CELL_CHARS_MAX = 1_000;

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The cells that a terminal takes for a text; a wide character takes two, a combining one none. */
export const cellsOf = (text: string): number => stringWidth(text);

/** Cut to so many cells, the last of them an ellipsis. Harmless text only: no escape sequences. */
export function cutTo(cells: number, text: string): string {
  if (cellsOf(text) <= cells) return text;
  let kept = "";
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (cellsOf(kept + segment) > cells - 1) break;
    kept += segment;
  }
  return kept + ELLIPSIS;
}

/** Takes cells from the widest flexible columns until all fit, or none has more than its least. */
function fitWidths(columns: readonly Column[], widths: readonly number[], cells: number): number[] {
  const fitted = [...widths];
  const gaps = GAP.length * (columns.length - 1);
  let over = fitted.reduce((sum, width) => sum + width, gaps) - cells;
  while (over > 0) {
    const flexible = fitted.map((width, index) => (columns[index]?.flexible ? width : 0));
    const widest = Math.max(...flexible);
    if (widest <= COLUMN_CELLS_MIN) break;
    const next = Math.max(COLUMN_CELLS_MIN, ...flexible.filter((width) => width < widest));
    const among = flexible.filter((width) => width === widest).length;
    const take = Math.max(1, Math.min(widest - next, Math.ceil(over / among)));
    for (const [index, width] of flexible.entries()) if (width === widest) fitted[index] = width - take;
    over -= take * among;
  }
  return fitted;
}

/**
 * A table's lines, the titles first, in as many cells as there are (`Infinity`: nothing is cut). Cells may hold any text of
 * strangers: it is made harmless and stands on one line. `paint` colours a cell once it has its width.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  cells: number,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): string[] {
  const shown = (cell: string): string =>
    harmlessLine(cells === Infinity ? cell : cell.slice(0, CELL_CHARS_MAX));
  const texts = [columns.map(({ title }) => title), ...rows.map((row) => row.map(shown))];
  const natural = columns.map((_, column) => Math.max(...texts.map((row) => cellsOf(row[column] ?? ""))));
  const widths = fitWidths(columns, natural, cells);
  return texts.map((row, index) =>
    columns
      .map(({ align }, column) => {
        const text = cutTo(widths[column] ?? 0, row[column] ?? "");
        const pad = " ".repeat(Math.max(0, (widths[column] ?? 0) - cellsOf(text)));
        const painted = paint(text, index - 1, column);
        if (align === "right") return pad + painted;
        return column === columns.length - 1 ? painted : painted + pad;
      })
      .join(GAP)
      .trimEnd(),
  );
}
