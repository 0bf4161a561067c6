import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second for every reader of /proc. */
const MS_PER_TICK = 10;

/** Who a process is, by a word of its command line; the first that fits. */
const ROLES: [word: string, role: string][] = [
  ["boot.cjs", "sandboxes"],
  ["apps/api/", "api"],
  ["apps/worker/", "worker"],
  ["baselines/", "worker"],
  ["postgres", "postgres"],
  ["redis", "redis"],
  ["load/", "bench"],
];

/** By a whole command line. */
export const roleOf = (command: string): string =>
  ROLES.find(([word]) => command.includes(word))?.[1] ?? "other";

interface Seen {
  parent: number;
  cpuMs: number;
  /** Of its children that have ended. */
  endedMs: number;
  role: string;
}

/** Starts a clock; asked, it answers the processor time that each role below this process has used since; milliseconds. */
export function roleClock(): () => Record<string, number> {
  const before = seen();
  return () => {
    const used: Record<string, number> = {};
    const add = (role: string, ms: number): void => void (used[role] = (used[role] ?? 0) + ms);
    for (const [pid, { cpuMs, endedMs, role }] of seen()) {
      add(role, cpuMs - (before.get(pid)?.cpuMs ?? 0));
      if (role === "worker") add("ended sandboxes", endedMs - (before.get(pid)?.endedMs ?? 0));
    }
    return used;
  };
}

/** This process and all below it. Who ended between two looks is seen only by its parent. */
function seen(): Map<number, Seen> {
  const all = new Map<number, Seen>();
  for (const name of readdirSync("/proc")) {
    const one = /^\d+$/u.test(name) ? read(name) : null;
    if (one) all.set(Number(name), one);
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined; at = all.get(at)?.parent)
      if (at === process.pid) return true;
    return false;
  };
  return new Map([...all].filter(([pid]) => isOurs(pid)));
}

function read(pid: string): Seen | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ms = (place: number): number => (Number(fields[place]) + Number(fields[place + 1])) * MS_PER_TICK;
    const role = roleOf(command);
    return { parent: Number(fields[1]), cpuMs: ms(11), endedMs: ms(13), role };
  } catch {
    return null;
  }
}
