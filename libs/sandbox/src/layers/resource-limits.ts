/** The most that a sandbox process may take for itself; each is the hard limit too. */
export interface ResourceLimits {
  /** Bytes of a file that it may write. */
  fileSize: number;
  openFiles: number;
  coreSize: number;
  /** Seconds of processor time in its whole life. */
  cpu: number;
  /** Bytes of private writable memory, touched or not: a coarse line, where the memory group is the exact one. */
  data: number;
  /** Processes and threads of its user; null where it shares the user with others, whom the limit would hit. */
  processes: number | null;
}

const CPU_SECONDS = 3_600;
const OPEN_FILES = 64;
/** V8 reserves half a GiB of code range for each isolate; a process keeps fewer than a dozen. */
const V8_DATA_BYTES = 8 * 2 ** 30;
/** Node's own threads; isolated-vm adds one for each processor. */
const THREADS = 64;

/** The limits of one process on a machine with so many processors, with so much memory beyond V8's own reserves. */
export const resourceLimits = (memoryMib: number, processors: number, ownUid: boolean): ResourceLimits => ({
  fileSize: 0,
  openFiles: OPEN_FILES,
  coreSize: 0,
  cpu: CPU_SECONDS,
  data: V8_DATA_BYTES + memoryMib * 2 ** 20,
  processes: ownUid ? THREADS + 2 * processors : null,
});

/** For each limit prlimit's flag and the name by which /proc/<pid>/limits lists it. */
const NAMES: Record<keyof ResourceLimits, [flag: string, listed: string]> = {
  fileSize: ["fsize", "Max file size"],
  openFiles: ["nofile", "Max open files"],
  coreSize: ["core", "Max core file size"],
  cpu: ["cpu", "Max cpu time"],
  data: ["data", "Max data size"],
  processes: ["nproc", "Max processes"],
};

const asked = (limits: ResourceLimits): { flag: string; listed: string; value: number }[] =>
  Object.entries(NAMES).flatMap(([name, [flag, listed]]) => {
    const value = limits[name as keyof ResourceLimits];
    return value === null ? [] : [{ flag, listed, value }];
  });

export const limitFlags = (limits: ResourceLimits): string[] =>
  asked(limits).map(({ flag, value }) => `--${flag}=${value}`);

/** The hard limits of /proc/<pid>/limits by their listed names; one without a bound is Infinity. */
export function parseLimits(text: string): Map<string, number> {
  const limits = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^(Max [a-z ]+?) {2,}(\S+) +(\S+)/.exec(line);
    const [, name = "", , hard] = match ?? [];
    if (match) limits.set(name, hard === "unlimited" ? Infinity : Number(hard));
  }
  return limits;
}

/** The names of `limits` that do not hold according to /proc/<pid>/limits; tighter ones are fine. */
export function laxLimits(limits: ResourceLimits, text: string): string[] {
  const found = parseLimits(text);
  return asked(limits)
    .filter(({ listed, value }) => (found.get(listed) ?? Infinity) > value)
    .map(({ listed }) => `${listed} is ${found.get(listed) ?? "unknown"}`);
}
