/** The answer of `askedToStop` when the parent has ended: nobody waits for this process any more. */
export const PARENT_GONE = "the parent is gone";

/**
 * Resolves when this process is asked to stop: SIGTERM, SIGINT, or the end of standard input where the parent
 * holds it open (`watchParent`), which also comes when the parent was killed and could ask nothing.
 */
export function askedToStop({ watchParent }: { watchParent: boolean }): Promise<string> {
  return new Promise((resolve) => {
    const stop = (why: string): void => {
      // Its reading would keep this process alive.
      if (watchParent) process.stdin.destroy();
      resolve(why);
    };
    process.once("SIGTERM", () => stop("SIGTERM"));
    process.once("SIGINT", () => stop("SIGINT"));
    if (!watchParent) return;
    process.stdin.once("end", () => stop(PARENT_GONE));
    process.stdin.once("error", () => stop(PARENT_GONE));
    process.stdin.resume();
  });
}
