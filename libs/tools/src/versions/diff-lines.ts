import { formatPatch, OMIT_HEADERS, structuredPatch, type StructuredPatchHunk } from "diff";

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
/** Lines taken out and put in between two texts that are compared closely; the time goes with the square of it. */
const EDITS_MAX = 1_000;

export function diffLines(before: string, after: string): LineDiff {
  const close = closeHunks(before, after);
  const hunks = close ?? [roughHunk(before.split("\n"), after.split("\n"))];
  const count = (sign: "+" | "-"): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { unified: unified(hunks), added: count("+"), removed: count("-"), exact: close !== undefined };
}

/** With as few changed lines as can be; undefined past `EDITS_MAX`. Each text gets a line end more, so that none lacks its last. */
const closeHunks = (before: string, after: string): StructuredPatchHunk[] | undefined =>
  structuredPatch("", "", `${before}\n`, `${after}\n`, "", "", {
    context: CONTEXT_LINES,
    maxEditLength: EDITS_MAX,
  })?.hunks;

/** All between what the texts begin and end with, as one change. */
function roughHunk(one: string[], other: string[]): StructuredPatchHunk {
  const lengthMin = Math.min(one.length, other.length);
  let start = 0;
  while (start < lengthMin && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < lengthMin - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT_LINES);
  const behind = Math.min(end, CONTEXT_LINES);
  const signed = (sign: string, lines: string[]): string[] => lines.map((line) => `${sign}${line}`);
  return {
    oldStart: from + 1,
    oldLines: one.length - end + behind - from,
    newStart: from + 1,
    newLines: other.length - end + behind - from,
    lines: [
      ...signed(" ", one.slice(from, start)),
      ...signed("-", one.slice(start, one.length - end)),
      ...signed("+", other.slice(start, other.length - end)),
      ...signed(" ", one.slice(one.length - end, one.length - end + behind)),
    ],
  };
}

const unified = (hunks: StructuredPatchHunk[]): string =>
  formatPatch({ oldFileName: "", newFileName: "", oldHeader: "", newHeader: "", hunks }, OMIT_HEADERS);
