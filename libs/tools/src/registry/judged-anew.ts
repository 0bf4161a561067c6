import { repeatLostChange } from "./repeat-lost-change.ts";

/** How often new tools are judged whose names are given up by others meanwhile; fewer than a change is tried: they may be many. */
const JUDGEMENTS_MAX = 5;
/** So that they do not end before the others have: all pauses together 0.3 s at most. */
const PAUSE_MS = 40;

/**
 * Judges and stores, both anew while what stays under a name is not what the tool was judged by. Nothing may be stored where
 * `work` throws `tool.changed`, which is thrown on where it goes on for `JUDGEMENTS_MAX` times.
 */
export const judgedAnew = <T>(work: () => Promise<T>): Promise<T> =>
  repeatLostChange(work, { triesMax: JUDGEMENTS_MAX, pauseMs: PAUSE_MS });
