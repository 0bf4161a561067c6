import { repeatLostChange } from "./repeat-lost-change.ts";

/**
 * How often a new tool is judged while others give up its name; less often than a change is tried, since there may be many
 * of them.
 */
const JUDGEMENTS_MAX = 5;
/** Pauses let the others finish first: 0.3 s together at most. */
const PAUSE_MS = 40;

/**
 * Judges and stores, both anew while the record under a name differs from the one that the tool was judged by. `work` must
 * store nothing when it throws `tool.changed`, which is thrown on after `JUDGEMENTS_MAX` times.
 */
export const judgedAnew = <T>(work: () => Promise<T>): Promise<T> =>
  repeatLostChange(work, { triesMax: JUDGEMENTS_MAX, pauseMs: PAUSE_MS });
