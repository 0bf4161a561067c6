import { createTwoFilesPatch, diffLines } from "diff";

interface Arguments {
  before: string;
  after: string;
  name?: string;
}

interface Comparison {
  added: number;
  removed: number;
  patch: string;
}

/** Edits after which two texts count as too different: what they cost grows with the square of their number. */
const EDITS_MAX = 5_000;

export async function run({ before, after, name = "text" }: Arguments): Promise<Comparison> {
  const bound = { maxEditLength: EDITS_MAX };
  const parts = diffLines(before, after, bound);
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, "", "", bound);
  if (parts === undefined || patch === undefined)
    throw new Error(`The texts differ in more than ${EDITS_MAX} lines.`);
  const lines = (which: "added" | "removed"): number =>
    parts.reduce((total, part) => total + (part[which] ? part.count : 0), 0);
  return { added: lines("added"), removed: lines("removed"), patch: before === after ? "" : patch };
}
