import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second for every reader of /proc. */
const MS_PER_TICK = 10;
const PAGE_MIB = 4 / 1024;

/** The system's account of a process, whatever the process itself says. */
export interface ProcessStat {
  /** User and system time of all its threads so far. */
  cpuMs: number;
  rssMib: number;
}

/** Null where there is no such process or no /proc. */
export function processStat(pid: number): ProcessStat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  // The second field is the program's name in parentheses and may hold anything; the others are numbers.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { cpuMs: ticks * MS_PER_TICK, rssMib: Number(fields[21]) * PAGE_MIB };
}
