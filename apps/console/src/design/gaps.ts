/** Text of one line as it is, or so many characters in a row that show nothing. */
export type Piece = string | { gap: number };

/** More than any indentation: what stands behind it is meant not to be seen. */
const GAP = /[\t\p{Zs}]{64,}/gu;
/** So many empty lines in a row are told as a number. */
const EMPTY_MIN = 12;

/** A line's text, with its wide gaps apart. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: gap, index } of text.matchAll(GAP)) {
    if (index > end) pieces.push(text.slice(end, index));
    pieces.push({ gap: gap.length });
    end = index + gap.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

export const isEmptyLine = (text: string): boolean => text.trim() === "";

/** A row, or how many empty ones of one kind follow each other. */
export type Fold<Row> = { row: Row } | { empty: number; kind: string };

/** Rows, where many empty ones in a row are one number. A row's kind is what its empty lines are called; null: it is not empty. */
export function folded<Row>(rows: readonly Row[], kindOf: (row: Row) => string | null): Fold<Row>[] {
  const folds: Fold<Row>[] = [];
  let run: { kind: string | null; rows: Row[] } = { kind: null, rows: [] };
  const flush = (): void => {
    const { kind, rows: alike } = run;
    if (kind !== null && alike.length >= EMPTY_MIN) folds.push({ empty: alike.length, kind });
    else for (const row of alike) folds.push({ row });
  };
  for (const row of rows) {
    const kind = kindOf(row);
    if (kind !== run.kind) {
      flush();
      run = { kind, rows: [] };
    }
    run.rows.push(row);
  }
  flush();
  return folds;
}
