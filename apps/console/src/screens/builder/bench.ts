import type { Draft } from "./draft.ts";
import type { Problem } from "./problems.ts";

/** What each part of the builder is given: the draft, how to change it, and what is wrong with it. */
export interface Bench {
  draft: Draft;
  /** What it was before somebody wrote: the tool as it is, or what a new one began with. */
  base: Draft;
  /** Whether the tool is there already. */
  isThere: boolean;
  set: (change: Partial<Draft>) => void;
  problems: readonly Problem[];
}
