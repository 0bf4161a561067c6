import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second for every reader of /proc. */
const MS_PER_TICK = 10;
const PAGE_MIB = 4 / 1024;

interface Stat {
  pid: number;
  parent: number;
  /** Of itself and of the children that it has waited for. */
  cpuMs: number;
  rssMib: number;
}

/** Null when the process has ended. */
function statOf(pid: number): Stat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  return {
    pid,
    parent: Number(fields[1]),
    cpuMs: ticks * MS_PER_TICK,
    rssMib: Number(fields[21]) * PAGE_MIB,
  };
}

/** This process and all below it, from /proc. */
function tree(): Stat[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const ours = new Set([process.pid]);
  // A child may have a lower number than its parent: look until nothing is added.
  for (let before = 0; before < ours.size;) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all.filter(({ pid }) => ours.has(pid));
}

/** Processor time of this process and of all that it has started, ended ones included, in milliseconds. */
export const treeCpuMs = (): number => tree().reduce((sum, { cpuMs }) => sum + cpuMs, 0);

/** The processes below this one, with their resident memory. */
export const below = (): { pid: number; rssMib: number }[] => tree().filter(({ pid }) => pid !== process.pid);

/** What one process keeps in memory, in MiB; `pss` counts pages that it shares by their share. Null where it can't be read. */
export function memoryOf(pid: number): { rss: number; pss: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    const mib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(text)?.[1]) / 1024;
    return { rss: mib("Rss"), pss: mib("Pss") };
  } catch {
    return null;
  }
}
