/** An execution id that begins with its moment, as the real ones do, and differs by a count alone: equal runs have equal ids. */
export const executionIdAt = (atMs: number, count: number): string =>
  `exe_${Math.floor(atMs).toString(16).padStart(12, "0")}${count.toString(16).padStart(20, "0")}`;
