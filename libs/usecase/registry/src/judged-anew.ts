import { Fault } from "@bulkhead/faults";

/** How often a new tool is judged whose name is given up by another meanwhile. */
const JUDGEMENTS_MAX = 5;

/**
 * Judges and stores, both anew while what stays under a name is not what the tool was judged by. Nothing may be stored where
 * `work` throws `tool.changed`, which is thrown on where it goes on for `JUDGEMENTS_MAX` times.
 */
export async function judgedAnew<T>(work: () => Promise<T>, judgements = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isJudgedAnew = error instanceof Fault && error.code === "tool.changed";
    if (!isJudgedAnew || judgements >= JUDGEMENTS_MAX) throw error;
    return judgedAnew(work, judgements + 1);
  }
}
