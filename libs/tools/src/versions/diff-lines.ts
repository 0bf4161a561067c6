import { commonRuns, type Run } from "./edit-script.ts";

/** Two texts compared line by line. */
export interface LineDiff {
  /** Hunks in unified form, without file names; lines end as in the texts. */
  unified: string;
  added: number;
  removed: number;
  /** False where the texts differ too much to be compared closely: then all between what they begin and end with counts as changed. */
  exact: boolean;
}

/** Unchanged lines around a change. */
const CONTEXT_LINES = 3;

/** One line of the diff: in both texts (` `), only before (`-`) or only after (`+`). */
interface Line {
  sign: " " | "-" | "+";
  text: string;
}

export function diffLines(before: string, after: string): LineDiff {
  const [one, other] = [before.split("\n"), after.split("\n")];
  const { runs, exact } = runsOf(one, other);
  const lines = interleave(one, other, runs);
  const count = (sign: Line["sign"]): number => lines.filter((line) => line.sign === sign).length;
  return { unified: writeHunks(lines), added: count("+"), removed: count("-"), exact };
}

function runsOf(one: string[], other: string[]): { runs: Run[]; exact: boolean } {
  const lengthMin = Math.min(one.length, other.length);
  let start = 0;
  while (start < lengthMin && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < lengthMin - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const numbers = new Map<string, number>();
  const numbered = (lines: string[]): Int32Array =>
    Int32Array.from(lines.slice(start, lines.length - end), (line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  const middle = commonRuns(numbered(one), numbered(other));
  const runs = [
    { before: 0, after: 0, length: start },
    ...(middle ?? []).map((run) => ({ ...run, before: run.before + start, after: run.after + start })),
    { before: one.length - end, after: other.length - end, length: end },
  ];
  return { runs, exact: middle !== null };
}

/** Between two runs first what went, then what came. */
function interleave(one: string[], other: string[], runs: Run[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [0, 0];
  for (const { before, after, length } of runs) {
    for (; x < before; x += 1) lines.push({ sign: "-", text: one[x] ?? "" });
    for (; y < after; y += 1) lines.push({ sign: "+", text: other[y] ?? "" });
    for (let i = 0; i < length; i += 1) lines.push({ sign: " ", text: one[x + i] ?? "" });
    x += length;
    y += length;
  }
  return lines;
}

function writeHunks(lines: Line[]): string {
  const hunks: string[] = [];
  let [x, y, last] = [0, 0, -1];
  for (let at = 0; at < lines.length; at = last + 1) {
    let first = at;
    while (lines[first]?.sign === " ") first += 1;
    if (first === lines.length) break;
    const from = Math.max(at, first - CONTEXT_LINES);
    last = endOfHunk(lines, first);
    x += from - at;
    y += from - at;
    const hunk = lines.slice(from, last + 1);
    const [olds, news] = [hunk.filter(({ sign }) => sign !== "+"), hunk.filter(({ sign }) => sign !== "-")];
    const rows = hunk.map(({ sign, text }) => `${sign}${text}\n`);
    hunks.push(`@@ -${range(x, olds.length)} +${range(y, news.length)} @@\n`, rows.join(""));
    x += olds.length;
    y += news.length;
  }
  return hunks.join("");
}

/** The last line of the hunk that begins with a change at `first`: changes that share their context stand together. */
function endOfHunk(lines: Line[], first: number): number {
  let lastChange = first;
  for (let at = first; at < lines.length && at - lastChange <= 2 * CONTEXT_LINES; at += 1)
    if (lines[at]?.sign !== " ") lastChange = at;
  return Math.min(lastChange + CONTEXT_LINES, lines.length - 1);
}

/** Line numbers count from 1; an empty range names the line before it. */
const range = (start: number, length: number): string => `${length === 0 ? start : start + 1},${length}`;
