declare const require: (path: string) => unknown;

/** Timers and effects that the run waits for. */
let count = 0;

/** Counts one more. With several, a promise can be rejected while the tool waits for another, and be caught later. */
export function began(): void {
  if (++count > 1) (require("./late-catch.ts") as typeof import("./late-catch.ts")).watchCatches();
}

export function ended(): void {
  count--;
}
