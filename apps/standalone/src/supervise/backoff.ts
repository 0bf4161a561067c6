const FIRST_MS = 250;
const MS_MAX = 30_000;

/** How long a start waits after `failures` deaths in a row: 250 ms, doubled each time, 30 s at most. */
export function backoffMs(failures: number): number {
  // Beyond ten doublings the bound holds anyway.
  return Math.min(MS_MAX, FIRST_MS * 2 ** Math.min(failures - 1, 10));
}

/** A process that stayed up this long before it died starts from the shortest wait again. */
export const STAYED_UP_MS = 60_000;
