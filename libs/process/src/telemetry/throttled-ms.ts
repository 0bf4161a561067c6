import { readFileSync } from "node:fs";

/** The files in which Linux counts how long a group was held back by its quota of processor time: cgroup v2 in µs, v1 in ns. */
const PLACES = [
  { file: "/sys/fs/cgroup/cpu.stat", line: /^throttled_usec (\d+)$/mu, perMs: 1_000 },
  { file: "/sys/fs/cgroup/cpu/cpu.stat", line: /^throttled_time (\d+)$/mu, perMs: 1_000_000 },
];

/** For how long this process's group was held back so far, in milliseconds; null where it has no quota that shows. */
export function throttledMs(): number | null {
  for (const { file, line, perMs } of PLACES) {
    const count = line.exec(textOf(file))?.[1];
    if (count !== undefined) return Number(count) / perMs;
  }
  return null;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Not there on this system.
    return "";
  }
}
