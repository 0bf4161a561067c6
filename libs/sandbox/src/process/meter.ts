import { readSync } from "node:fs";
import type { SandboxMeasures } from "../wire/from-sandbox.ts";
import type { StopReason } from "../wire/stop-reasons.ts";
import { RSS_OVERHEAD_MIB, SAMPLE_MS } from "./bounds.ts";
import { overCpu, overMemory, overWall } from "./limit-messages.ts";

/** The descriptor of /proc/self/statm, which `boot.cjs` passes; null where the system has none. */
declare const statm: number | null;

const MIB = 2 ** 20;

/** Reading it takes a look into /proc, which a run of 1 ms would feel: a short run is assumed to leave it as it was. */
const rss = { mib: 0, runsSince: 0 };
const RUNS_PER_LOOK = 16;

/** Processor time after which a run's heap is looked at; in less, few tools fill one MiB. */
const HEAP_LOOK_CPU_MS = 1;

/** The file that `boot.cjs` keeps open has sizes in pages, the resident one second. */
const counts = Buffer.alloc(128);
function residentPages(file: number): number {
  const bytes = readSync(file, counts, 0, counts.length, 0);
  return Number(counts.toString("latin1", 0, bytes).split(" ", 2)[1]);
}

/** Nobody tells it to JavaScript; it is a power of two. */
const pageMib =
  statm === null ? 0 : 2 ** Math.round(Math.log2(process.memoryUsage.rss() / residentPages(statm))) / MIB;

function lookAtRss(): number {
  rss.mib = statm === null ? process.memoryUsage.rss() / MIB : residentPages(statm) * pageMib;
  rss.runsSince = 0;
  return rss.mib;
}

/** The value of the last look, which is at most so many short runs ago. */
const lastRss = (): number => (rss.mib === 0 || ++rss.runsSince > RUNS_PER_LOOK ? lookAtRss() : rss.mib);

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The limits that a meter watches. */
export interface MeterLimits {
  cpuMs: number;
  wallMs: number;
  memoryMib: number;
}

/**
 * Measures one run by the operating system's account of this process, which serves nothing else meanwhile: isolated-vm's
 * own clocks count waiting for the processor as work.
 */
export class Meter {
  readonly #limits: MeterLimits;
  readonly #onLimit: (reason: StopReason, message: string) => void;
  readonly #startedAt = performance.now();
  readonly #cpuMsBefore = cpuMs();
  readonly #rssMibBefore = lastRss();
  #sampled = false;
  #rssMibPeak = this.#rssMibBefore;
  readonly #sampling: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;

  /** `onLimit` is called at most once for each look at the clocks; the first call is the one that counts. */
  constructor(limits: MeterLimits, onLimit: (reason: StopReason, message: string) => void) {
    this.#limits = limits;
    this.#onLimit = onLimit;
    this.#sampling = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#deadline = setTimeout(() => this.#sample(), limits.wallMs);
  }

  get wallMsLeft(): number {
    return Math.max(1, this.#limits.wallMs - (performance.now() - this.#startedAt));
  }

  stop(): void {
    clearInterval(this.#sampling);
    clearTimeout(this.#deadline);
  }

  /**
   * `heapMib` is V8's own account; memory is the larger of it and of the growth of the whole process. A run that hardly
   * computed may get the heap of the last look: a look takes V8 as long as such a run.
   */
  measures(heapMib: (look: boolean) => number): SandboxMeasures {
    const usedMs = cpuMs() - this.#cpuMsBefore;
    const rssMib = this.#sampled ? lookAtRss() : rss.mib;
    this.#rssMibPeak = Math.max(this.#rssMibPeak, rssMib);
    const grownMib = this.#rssMibPeak - this.#rssMibBefore;
    return {
      cpuMs: round(usedMs),
      memoryPeakMib: round(Math.max(heapMib(this.#sampled || usedMs > HEAP_LOOK_CPU_MS), grownMib)),
      rssMib: round(rssMib),
    };
  }

  #sample(): void {
    this.#sampled = true;
    const rssMib = lookAtRss();
    this.#rssMibPeak = Math.max(this.#rssMibPeak, rssMib);
    const { cpuMs: cpuMsMax, wallMs, memoryMib } = this.#limits;
    if (rssMib - this.#rssMibBefore > memoryMib + RSS_OVERHEAD_MIB) {
      this.#onLimit("memory", overMemory(memoryMib));
    } else if (cpuMs() - this.#cpuMsBefore >= cpuMsMax) {
      this.#onLimit("cpu", overCpu(cpuMsMax));
    } else if (performance.now() - this.#startedAt >= wallMs) {
      this.#onLimit("wall", overWall(wallMs));
    }
  }
}

const round = (value: number): number => Math.max(0, Math.round(value * 100) / 100);
