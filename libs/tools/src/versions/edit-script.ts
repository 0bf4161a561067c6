/** Lines taken out and put in between two texts that are found so; past it the diff is exact no more. */
const EDITS_MAX = 1_000;
/** Comparisons of two lines; about 40 ms. */
const STEPS_MAX = 5_000_000;

/** A stretch of lines that stands in both texts. */
export interface Run {
  before: number;
  after: number;
  length: number;
}

/**
 * The longest common lines of two lists, as runs in order, by Myers' greedy algorithm (An O(ND) Difference Algorithm and
 * Its Variations, 1986). Null where the lists differ in more than `EDITS_MAX` lines or finding out takes too many steps.
 * Lines are numbers: equal exactly where the lines are.
 */
export function commonRuns(before: Int32Array, after: Int32Array): Run[] | null {
  const [n, m] = [before.length, after.length];
  const edits = Math.min(n + m, EDITS_MAX);
  // At diagonal k (lines of `before` minus lines of `after`), how many lines of `before` are behind us.
  const furthest = new Int32Array(2 * edits + 3);
  const trace: Int32Array[] = [];
  let steps = 0;
  for (let d = 0; d <= edits; d += 1) {
    trace.push(furthest.slice(edits - d, edits + d + 3));
    for (let k = -d; k <= d; k += 2) {
      const at = edits + 1 + k;
      const down = k === -d || (k !== d && (furthest[at - 1] ?? 0) < (furthest[at + 1] ?? 0));
      let x = down ? (furthest[at + 1] ?? 0) : (furthest[at - 1] ?? 0) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) {
        x += 1;
        steps += 1;
      }
      furthest[at] = x;
      if (x >= n && x - k >= m) return walkBack(trace, n, m);
      steps += 1;
    }
    if (steps > STEPS_MAX) return null;
  }
  return null;
}

/** `trace[d]` holds diagonals -d-1 to d+1 as they were before the d-th edit. */
function walkBack(trace: Int32Array[], n: number, m: number): Run[] {
  const runs: Run[] = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const furthest = trace[d] ?? new Int32Array();
    const at = (k: number): number => furthest[k + d + 1] ?? 0;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const startX = d === 0 ? 0 : down ? at(k + 1) : at(k - 1) + 1;
    if (x > startX) runs.push({ before: startX, after: startX - k, length: x - startX });
    x = down ? startX : startX - 1;
    y = down ? startX - k - 1 : startX - k;
  }
  return runs.toReversed();
}
