import { until } from "@bulkhead/testing";
import { readdirSync, readFileSync } from "node:fs";

const PROGRAM = "boot.cjs";
/** Linux counts processor time in hundredths of a second for every reader of /proc. */
const MS_PER_TICK = 10;
/** Processor time that a process which starts, or runs a small tool now and then, does not come near. */
const SPINNING_CPU_MS = 500;

interface Seen {
  parent: number;
  cpuMs: number;
}

function statOf(pid: number): Seen | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
  } catch {
    return null;
  }
}

/** The sandbox processes of one worker, with their processor time so far. */
function sandboxesOf(workerPid: number): Map<number, number> {
  const all = new Map<number, Seen>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/u.test(name) ? statOf(Number(name)) : null;
    if (stat) all.set(Number(name), stat);
  }
  const isBelow = (pid: number): boolean => {
    for (let at = all.get(pid); at !== undefined; at = all.get(at.parent))
      if (at.parent === workerPid) return true;
    return false;
  };
  const found = [...all].filter(([pid]) => isBelow(pid) && commandOf(pid).includes(PROGRAM));
  return new Map(found.map(([pid, { cpuMs }]) => [pid, cpuMs]));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** Kills the sandbox process of this worker that computes, once there is one: the tool in it must spin. */
export async function killSpinningSandbox(workerPid: number): Promise<void> {
  // What a process used before, for other tools, says nothing of what it does now.
  const before = sandboxesOf(workerPid);
  const isSpinning = ([pid, cpuMs]: [number, number]): boolean =>
    cpuMs - (before.get(pid) ?? 0) >= SPINNING_CPU_MS;
  const pid = await until(() => [...sandboxesOf(workerPid)].find(isSpinning)?.[0], {
    what: "a sandbox process computes",
    timeoutMs: 60_000,
  });
  process.kill(pid, "SIGSEGV");
  await until(() => statOf(pid) === null, { what: "the killed process is gone" });
}
