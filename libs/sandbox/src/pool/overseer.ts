import type { RunLimits } from "@bulkhead/core";
import type { SandboxMeasures } from "../wire/from-sandbox.ts";
import { processStat, type ProcessStat } from "./process-stat.ts";

/** When a run is first looked at from outside, and how often after that, in milliseconds; most runs take one. */
const FIRST_LOOK_MS = 5;
const LOOK_MS = 50;
/** The sandbox judges itself first; what it may be late by, or grow by while V8 gives memory back. */
const CPU_SLACK_MS = 100;
const RSS_SLACK_MIB = 192;

type Judgement = { outcome: "cpu" | "wall" | "memory"; message: string };

/**
 * Keeps a run's limits from outside, by the system's account of the process: for a sandbox that is stuck
 * inside V8, or that no longer does what it was built to do.
 */
export class Overseer {
  readonly #pid: number;
  readonly #limits: RunLimits;
  readonly #judge: (judgement: Judgement) => void;
  readonly #rssMibBefore: number;
  #looking: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  #before: ProcessStat | null = null;
  #last: ProcessStat | null = null;
  #rssMibPeak = 0;

  /** `rssMibBefore` is what the process held when the run began; 0 where nobody looked. */
  constructor(
    pid: number,
    rssMibBefore: number,
    limits: RunLimits,
    graceMs: number,
    judge: (judgement: Judgement) => void,
  ) {
    this.#pid = pid;
    this.#rssMibBefore = rssMibBefore;
    this.#limits = limits;
    this.#judge = judge;
    this.#looking = setTimeout(() => this.#look(), FIRST_LOOK_MS);
    this.#deadline = setTimeout(() => this.#late(), limits.wallMs + graceMs);
  }

  stop(): void {
    clearTimeout(this.#looking);
    clearTimeout(this.#deadline);
  }

  /** Looks once more; for a process that is about to be killed, and not for one that is gone: its pid may be another's. */
  see(): ProcessStat | null {
    const now = processStat(this.#pid);
    if (now === null) return null;
    this.#before ??= now;
    this.#last = now;
    this.#rssMibPeak = Math.max(this.#rssMibPeak, now.rssMib);
    return now;
  }

  /**
   * What the run had used when it was last looked at, by the system's account: its processor time but for the first
   * FIRST_LOOK_MS, and what the process grew by. Null where the run was over before that.
   */
  get seen(): SandboxMeasures | null {
    if (this.#before === null || this.#last === null) return null;
    const grownMib = this.#rssMibPeak - (this.#rssMibBefore || this.#before.rssMib);
    const memoryPeakMib = Math.max(0, Math.round(grownMib * 100) / 100);
    return { cpuMs: this.#last.cpuMs - this.#before.cpuMs, memoryPeakMib, rssMib: this.#last.rssMib };
  }

  #look(): void {
    this.#looking = setTimeout(() => this.#look(), LOOK_MS);
    const now = this.see();
    if (now === null || this.#before === null) return;
    const { cpuMs, memoryMib } = this.#limits;
    if (now.cpuMs - this.#before.cpuMs > cpuMs + CPU_SLACK_MS) this.#judge(overCpu(cpuMs));
    else if (now.rssMib - this.#before.rssMib > memoryMib + RSS_SLACK_MIB) {
      this.#judge({
        outcome: "memory",
        message: `The tool needed more than ${memoryMib} MiB of memory (limits.memoryMib).`,
      });
    }
  }

  #late(): void {
    const { cpuMs, wallMs } = this.#limits;
    const now = this.see();
    const used = now !== null && this.#before !== null ? now.cpuMs - this.#before.cpuMs : 0;
    if (used >= cpuMs) this.#judge(overCpu(cpuMs));
    else this.#judge({ outcome: "wall", message: `The tool ran longer than ${wallMs} ms (limits.wallMs).` });
  }
}

const overCpu = (cpuMs: number): Judgement => ({
  outcome: "cpu",
  message: `The tool used more than ${cpuMs} ms of processor time (limits.cpuMs).`,
});
