/** A look that takes longer than this, as where the connection is broken, is not waited for; milliseconds. */
export const LOOK_MS_MAX = 5_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Gives what is called at each change of a list: it looks at the list once for all changes within its pause, and not again
 * before that look is over. A further look would break it off, and where changes come faster than answers none would arrive.
 */
export function gather(
  look: (key: string) => Promise<unknown>,
  pauseMsOf: (key: string) => number,
  signal: AbortSignal,
): (key: string) => void {
  const changed = new Set<string>();
  const looking = new Set<string>();
  const run = async (key: string): Promise<void> => {
    looking.add(key);
    while (changed.has(key) && !signal.aborted) {
      await pause(pauseMsOf(key));
      changed.delete(key);
      if (!signal.aborted) await Promise.race([look(key), pause(LOOK_MS_MAX)]);
    }
    looking.delete(key);
  };
  return (key) => {
    changed.add(key);
    if (!looking.has(key)) void run(key);
  };
}
