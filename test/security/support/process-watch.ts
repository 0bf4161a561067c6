import { readFileSync } from "node:fs";

const MS_PER_TICK = 10;
const PAGE_MIB = 4 / 1024;
const LOOK_MS = 5;

interface Look {
  cpuMs: number;
  rssMib: number;
}

/** Null for a process that is gone, or whose parent has only not yet heard of it. */
function look(pid: number): Look | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return null;
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
    rssMib: Number(fields[21]) * PAGE_MIB,
  };
}

/**
 * For how long a process's main thread has waited for a processor that others had, in milliseconds; 0 where the kernel
 * does not say. It is the machine's doing: a test that shares two processors with nine others must not count it.
 */
function waitedMs(pid: number | "self"): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** The process and those below it: a launcher may stand in front of the program. */
function family(pid: number): number[] {
  let children = "";
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
  } catch {
    // It is gone.
  }
  return [
    pid,
    ...children
      .split(" ")
      .filter(Boolean)
      .flatMap((child) => family(Number(child))),
  ];
}

/** Whether nothing is left of these processes. */
export const areDead = (pids: readonly number[]): boolean => pids.every((pid) => look(pid) === null);

/** What a watched run may use. */
export interface Deadline {
  cpuMs: number;
  wallMs: number;
}

/** Looks at one sandbox process from outside during one run: when it met a limit, how large it was, when it was dead. */
export class ProcessWatch {
  readonly pids: readonly number[];
  rssMibPeak = 0;
  /** When the run met its limit of time, on the clock of `performance.now`; null while it has not. */
  limitAt: number | null = null;
  /** When nothing was left of the process; null while there is. */
  deadAt: number | null = null;
  /** What the worker's and the sandbox's main thread had waited for a processor: at the limit, and when last looked. */
  #waitedAtLimit: readonly [number, number];
  #waited: readonly [number, number];
  readonly #before: Look;
  readonly #startedAt = performance.now();
  readonly #limits: Deadline;
  readonly #looking: NodeJS.Timeout;

  constructor(pid: number, limits: Deadline) {
    this.pids = family(pid);
    this.#limits = limits;
    this.#before = this.#look() ?? { cpuMs: 0, rssMib: 0 };
    this.#waited = [waitedMs("self"), Math.max(...this.pids.map(waitedMs))];
    this.#waitedAtLimit = this.#waited;
    this.#looking = setInterval(() => this.#note(), LOOK_MS);
  }

  get rssMibBefore(): number {
    return this.#before.rssMib;
  }

  /** From the limit to the dead process in milliseconds, by the clock; null where one of them was not. */
  get deathMsByClock(): number | null {
    return this.limitAt === null || this.deadAt === null ? null : Math.max(0, this.deadAt - this.limitAt);
  }

  /** The same without what the thread that waited longest for a processor waited: both may have waited at one time. */
  get deathMs(): number | null {
    const waited = this.#waited.map((ms, at) => ms - (this.#waitedAtLimit[at] ?? 0));
    return this.deathMsByClock === null ? null : Math.max(0, this.deathMsByClock - Math.max(...waited));
  }

  /** The tool was cancelled now. */
  cancelled(): void {
    this.#limitMet(performance.now());
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  #limitMet(at: number): void {
    if (this.limitAt !== null) return;
    this.limitAt = at;
    this.#waitedAtLimit = this.#waited;
  }

  #look(): Look | null {
    const alive = this.pids.flatMap((pid) => look(pid) ?? []);
    if (alive.length === 0) return null;
    const sum = (key: keyof Look): number => alive.reduce((total, each) => total + each[key], 0);
    return { cpuMs: sum("cpuMs"), rssMib: sum("rssMib") };
  }

  #note(): void {
    const at = performance.now();
    const seen = this.#look();
    if (at - this.#startedAt >= this.#limits.wallMs) this.#limitMet(this.#startedAt + this.#limits.wallMs);
    const sandboxWaited = seen === null ? this.#waited[1] : Math.max(...this.pids.map(waitedMs));
    this.#waited = [waitedMs("self"), sandboxWaited];
    if (seen === null) {
      this.deadAt ??= at;
      return;
    }
    this.rssMibPeak = Math.max(this.rssMibPeak, seen.rssMib);
    if (seen.cpuMs - this.#before.cpuMs >= this.#limits.cpuMs) this.#limitMet(at);
  }
}
