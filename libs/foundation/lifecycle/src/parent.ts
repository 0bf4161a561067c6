/**
 * Resolves when this process is asked to stop: SIGTERM, SIGINT, or the end of standard input where the parent
 * holds it open (`watchParent`), which also comes when the parent was killed and could ask nothing.
 */
export function askedToStop({ watchParent }: { watchParent: boolean }): Promise<string> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve("SIGTERM"));
    process.once("SIGINT", () => resolve("SIGINT"));
    if (!watchParent) return;
    process.stdin.once("end", () => resolve("the parent is gone"));
    process.stdin.once("error", () => resolve("the parent is gone"));
    process.stdin.resume();
  });
}
