import type { Span } from "./contender.ts";

/** How much of the spans lies between two moments; milliseconds. */
export const workerMs = (spans: Span[], from: number, to: number): number =>
  spans.reduce(
    (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, to) - Math.max(startMs, from)),
    0,
  );

/** Jain's index of what each got for its weight: 1 where all got the same, 1/n where one got everything. */
export function jainIndex(got: number[], weights: number[]): number {
  const each = got.map((value, place) => value / (weights[place] ?? 1));
  const sum = each.reduce((total, value) => total + value, 0);
  return sum ** 2 / (each.length * each.reduce((total, value) => total + value ** 2, 0));
}

/** What each got of the whole, over what its weight entitles it to: 1 where it is exact. */
export function shareRatios(got: number[], weights: number[]): number[] {
  const all = got.reduce((sum, value) => sum + value, 0);
  const weight = weights.reduce((sum, value) => sum + value, 0);
  return got.map((value, place) => value / all / ((weights[place] ?? 1) / weight));
}
