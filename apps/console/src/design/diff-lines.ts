/** A line of one side; null: the other side alone has one there. */
export type DiffLine = { number: number; text: string } | null;

export interface DiffRow {
  before: DiffLine;
  after: DiffLine;
  /** Whether both sides are the same. */
  isSame: boolean;
}

/** Lines of both sides, multiplied, that are compared one by one; beyond it all between the first and the last difference is one change. */
const COMPARED_MAX = 4_000_000;

/** Two texts line by line: what is the same stands side by side, and what went beside what came. */
export function diffLines(before: string, after: string): DiffRow[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const pairs = commonPairs(a, b, [start, a.length - end], [start, b.length - end]);
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  const line = (text: string | undefined, at: number): DiffLine =>
    text === undefined ? null : { number: at + 1, text };
  const flush = (untilA: number, untilB: number): void => {
    while (i < untilA || j < untilB) {
      rows.push({
        before: i < untilA ? line(a[i], i) : null,
        after: j < untilB ? line(b[j], j) : null,
        isSame: false,
      });
      if (i < untilA) i += 1;
      if (j < untilB) j += 1;
    }
  };
  const same = (atA: number, atB: number): void => {
    flush(atA, atB);
    rows.push({ before: line(a[atA], atA), after: line(b[atB], atB), isSame: true });
    [i, j] = [atA + 1, atB + 1];
  };
  for (let at = 0; at < start; at += 1) same(at, at);
  for (const [atA, atB] of pairs) same(atA, atB);
  for (let at = end; at > 0; at -= 1) same(a.length - at, b.length - at);
  flush(a.length, b.length);
  return rows;
}

type Range = readonly [from: number, to: number];

/** Pairs of places of a longest common subsequence within two ranges. */
function commonPairs(
  a: readonly string[],
  b: readonly string[],
  [fromA, toA]: Range,
  [fromB, toB]: Range,
): Range[] {
  const [rows, columns] = [toA - fromA, toB - fromB];
  if (rows * columns > COMPARED_MAX) return [];
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const length = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        a[fromA + row] === b[fromB + column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
  const pairs: Range[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns)
    if (a[fromA + row] === b[fromB + column]) {
      pairs.push([fromA + row, fromB + column]);
      [row, column] = [row + 1, column + 1];
    } else if (length(row + 1, column) >= length(row, column + 1)) row += 1;
    else column += 1;
  return pairs;
}
