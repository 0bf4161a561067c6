import type { RunLimits } from "@bulkhead/domain";
import { processStat, type ProcessStat } from "./process-stat.ts";

/** How often a long run is looked at from outside, in milliseconds. */
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
  readonly #looking: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  #before: ProcessStat | null = null;

  constructor(pid: number, limits: RunLimits, graceMs: number, judge: (judgement: Judgement) => void) {
    this.#pid = pid;
    this.#limits = limits;
    this.#judge = judge;
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    this.#deadline = setTimeout(() => this.#late(), limits.wallMs + graceMs);
  }

  stop(): void {
    clearInterval(this.#looking);
    clearTimeout(this.#deadline);
  }

  #look(): void {
    const now = processStat(this.#pid);
    if (now === null) return;
    this.#before ??= now;
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
    const now = processStat(this.#pid);
    const used = now !== null && this.#before !== null ? now.cpuMs - this.#before.cpuMs : 0;
    if (used >= cpuMs) this.#judge(overCpu(cpuMs));
    else this.#judge({ outcome: "wall", message: `The tool ran longer than ${wallMs} ms (limits.wallMs).` });
  }
}

const overCpu = (cpuMs: number): Judgement => ({
  outcome: "cpu",
  message: `The tool used more than ${cpuMs} ms of processor time (limits.cpuMs).`,
});
